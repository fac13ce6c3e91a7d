package image

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// component is a component of a CycloneDX document.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
}

type billOfMaterials struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Components []component `json:"components"`
}

// bill returns the bill of materials of an image as CycloneDX: the Go modules in each program's build information, and
// the web's packages.
func (o Options) bill(r recipe, architecture string) ([]byte, error) {
	var all []component
	for _, p := range r.programs {
		info, err := buildinfo.ReadFile(o.built(p, architecture))
		if err != nil {
			return nil, fmt.Errorf("bill of materials: %w", err)
		}
		version := strings.TrimPrefix(info.GoVersion, "go")
		all = append(all, component{"library", "stdlib", version, "pkg:golang/stdlib@" + version})
		for _, module := range info.Deps {
			if module.Replace != nil {
				module = module.Replace
			}
			if !strings.HasPrefix(module.Path, "baari.dev/") {
				all = append(all, component{
					"library", module.Path, module.Version, "pkg:golang/" + module.Path + "@" + module.Version,
				})
			}
		}
	}
	if r.web {
		packages, err := o.webPackages()
		if err != nil {
			return nil, fmt.Errorf("bill of materials: %w", err)
		}
		all = append(all, packages...)
	}
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.URL, b.URL) })
	return json.MarshalIndent(billOfMaterials{"CycloneDX", "1.6", 1, slices.Compact(all)}, "", " ")
}

// webPackages returns the npm packages of the lock file, except those for development.
func (o Options) webPackages() ([]component, error) {
	text, err := os.ReadFile(filepath.Join(o.Root, "web", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, err
	}
	var all []component
	for path, pack := range lock.Packages {
		if path == "" || pack.Dev {
			continue
		}
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		all = append(all, component{
			"library", name, pack.Version, "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + pack.Version,
		})
	}
	return all, nil
}
