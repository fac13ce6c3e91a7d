package image

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/stack"
)

// program is one Go program of an image.
type program struct{ name, pack string }

// recipe is the contents of one image.
type recipe struct {
	name     string
	programs []program // the first is started
	web      bool      // with the built web
	env      []string
	ofOthers bool // a third-party program, built on request only
}

const office = "OFFICE_FILE=/etc/baari/office.json"

// recipes are the images of the services, of the web, of the operator's program, and of third parties.
var recipes = append(services(),
	recipe{name: "web", web: true, env: []string{office, "WEB_ROOT=/www"}, programs: []program{
		{"web", "baari.dev/gateway/cmd/web"}, {"gateway", "baari.dev/gateway/cmd/gateway"},
		{"traefikconf", "baari.dev/gateway/cmd/traefikconf"}, {"smoke", "baari.dev/gateway/cmd/smoke"},
	}},
	recipe{name: "baarictl", programs: []program{{"baarictl", "baari.dev/services/operate/cmd/baarictl"}}},
	recipe{name: "traefik", ofOthers: true, programs: []program{{"traefik", ""}}},
)

// services returns the images of the registry's services.
func services() (all []recipe) {
	for _, service := range registry.Services {
		folder := "baari.dev/services/" + service.Name + "/cmd/" + service.Name
		all = append(all, recipe{
			name: service.Image(), env: []string{office}, programs: []program{{service.Image(), folder}},
		})
	}
	return all
}

// compile builds the programs for an architecture, statically and reproducibly, and the web if an image contains it.
func compile(ctx context.Context, options Options, chosen []recipe, architecture string) error {
	bin := options.bin(architecture)
	if err := os.MkdirAll(bin, 0o750); err != nil {
		return err
	}
	var packages []string
	for _, r := range chosen {
		if r.web {
			if err := stack.BuildWeb(ctx, options.Root, options.Progress); err != nil {
				return err
			}
		}
		if r.ofOthers {
			if err := copyTraefik(ctx, options, bin); err != nil {
				return err
			}
			continue
		}
		for _, p := range r.programs {
			packages = append(packages, p.pack)
		}
	}
	if len(packages) == 0 {
		return nil
	}
	args := append(
		[]string{
			"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", bin + string(filepath.Separator),
		},
		packages...,
	)
	cmd := stack.GoCommand(ctx, options.Root, args...)
	cmd.Env = append(cmd.Env, "GOOS=linux", "GOARCH="+architecture, "GOFLAGS=")
	return options.Progress.Step("building the programs of the images for "+architecture, func() error {
		_, err := stack.Output(cmd)
		return err
	})
}

// copyTraefik copies the pinned Traefik into the folder of the programs.
func copyTraefik(ctx context.Context, options Options, bin string) error {
	path, err := stack.FindTraefik(ctx, options.Root, options.Progress)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	//nolint:gosec // our own folder; it is only read from here
	return os.WriteFile(filepath.Join(bin, "traefik"), text, 0o600)
}

// built returns the file of a program: go build names it after the last element of its package.
func (o Options) built(p program, architecture string) string {
	if p.pack == "" {
		return filepath.Join(o.bin(architecture), p.name)
	}
	return filepath.Join(o.bin(architecture), filepath.Base(p.pack))
}

// files returns the programs of an image and the files of the web.
func (o Options) files(r recipe, architecture string) ([]entry, error) {
	var all []entry
	for _, p := range r.programs {
		all = append(all, entry{name: p.name, mode: 0o555, file: o.built(p, architecture)})
	}
	if !r.web {
		return all, nil
	}
	dist := filepath.Join(o.Root, "web", "dist")
	all = append(all, entry{name: "www/", mode: 0o755})
	err := filepath.WalkDir(dist, func(path string, found fs.DirEntry, err error) error {
		if err != nil || path == dist {
			return err
		}
		if strings.HasPrefix(found.Name(), ".") { // metadata of version control, files of an editor
			if found.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		inside, err := filepath.Rel(dist, path)
		if err != nil {
			return err
		}
		if found.IsDir() {
			all = append(all, entry{name: "www/" + filepath.ToSlash(inside) + "/", mode: 0o755})
			return nil
		}
		all = append(all, entry{name: "www/" + filepath.ToSlash(inside), mode: 0o444, file: path})
		return nil
	})
	return all, err
}
