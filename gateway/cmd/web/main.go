// Command web serves the built web application behind a gateway.
package main

import (
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"baari.dev/gateway/process"
	"baari.dev/gateway/webserver"
)

type config struct {
	process.Config
	WebRoot    string         `env:"WEB_ROOT,required,notEmpty"`
	OfficeFile string         `env:"OFFICE_FILE,required,notEmpty"`
	BaseURL    process.Origin `env:"BASE_URL"`
}

func main() {
	if err := run(); err != nil {
		process.Exit("web", err)
	}
}

func run() error {
	var c config
	if err := process.Read(&c); err != nil {
		return err
	}
	server, err := webserver.New(c.WebRoot, c.OfficeFile, c.BaseURL.String())
	if err != nil {
		return err
	}
	registry, logger := process.NewRegistry(), c.Logger("web")
	go reload(server, logger)
	return process.Run(c.Config, process.Program{
		Name: "web", Handler: measured(server, registry), Registry: registry, Logger: logger,
	})
}

// reload reads the office file again at each SIGHUP, as the directory service does. An invalid file changes nothing.
func reload(server *webserver.Server, logger *slog.Logger) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	for range hangups {
		if err := server.Reload(); err != nil {
			logger.Error("the office file was not reloaded", "cause", err)
			continue
		}
		logger.Info("the office file was reloaded")
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
