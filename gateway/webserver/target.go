package webserver

import (
	"context"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"baari.dev/gateway"
	"baari.dev/services/office"
	"baari.dev/services/platform/process"
)

// Target returns the process target of the web server, which serves the built web application behind a gateway.
func Target() process.Target {
	return process.Target{Name: gateway.Web, Configure: process.Configured(config.start)}
}

type config struct {
	process.Common
	WebRoot    string         `env:"WEB_ROOT"`    // empty: see root
	OfficeFile string         `env:"OFFICE_FILE"` // empty: the default office
	ImageData  string         `env:"KO_DATA_PATH"`
	BaseURL    gateway.Origin `env:"BASE_URL"`

	// The office document of directory, such as http://directory:8080/api/office. The default is the address of a
	// directory in the same process. Without both, only the office file is used.
	OfficeURL string         `env:"OFFICE_URL"`
	Directory gateway.Origin `env:"UPSTREAM_DIRECTORY"`
}

func (c config) start(_ context.Context, p *process.Process) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	server, err := New(root, c.OfficeFile, c.BaseURL.String())
	if err != nil {
		return err
	}
	if address := c.officeURL(); address != "" {
		f, err := newFollower(server, address, p.Log)
		if err != nil {
			return err
		}
		p.Registry.MustRegister(office.VersionCollector(func(context.Context) (int64, error) {
			return server.version.Load(), nil
		}))
		p.Ready("office", f.ready)
		p.Go(f.run)
	}
	p.Public(measured(server, p.Registry))
	p.Go(func(ctx context.Context) error { reload(ctx, server, p); return nil })
	return nil
}

func (c config) officeURL() string {
	if c.OfficeURL == "" && c.Directory.URL != nil {
		return c.Directory.String() + officeCall
	}
	return c.OfficeURL
}

// root returns the folder of the built web: WEB_ROOT, or www in the data of an image built by ko, or www beside the
// program.
func (c config) root() (string, error) {
	if c.WebRoot != "" {
		return c.WebRoot, nil
	}
	if data := c.ImageData; data != "" {
		return filepath.Join(data, "www"), nil
	}
	program, err := os.Executable()
	return filepath.Join(filepath.Dir(program), "www"), err
}

// reload reads the office file again at each SIGHUP, for a server without directory. An invalid file changes nothing.
func reload(ctx context.Context, server *Server, p *process.Process) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
		}
		if err := server.Reload(); err != nil {
			p.Log.Error("the office file was not reloaded", "cause", err)
			continue
		}
		p.Log.Info("the office file was reloaded")
	}
}

func measured(next http.Handler, registry prometheus.Registerer) http.Handler {
	duration := promauto.With(registry).NewHistogramVec(prometheus.HistogramOpts{
		Name:                        "baari_web_request_duration_seconds",
		Help:                        "Duration of HTTP server requests for the web application.",
		NativeHistogramBucketFactor: 1.1,
		Buckets:                     prometheus.DefBuckets,
	}, []string{"code", "method"})
	return promhttp.InstrumentHandlerDuration(duration, next)
}
