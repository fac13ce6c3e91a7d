package image

import (
	"archive/tar"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"baari.dev/services/contract/registry"
	"baari.dev/tools/stack"
)

// repository creates a small repository with one small program: with the race detector, it takes a minute to
// compress a program as large as this test.
func repository(t *testing.T) Options {
	t.Helper()
	o := Options{Root: t.TempDir(), Out: t.TempDir(), Repository: "baari.local", Tags: []string{"1.0.0", "1.0.1"}}
	for path, text := range map[string][]byte{
		filepath.Join(o.Root, "go.mod"):                               []byte("module small\n"),
		filepath.Join(o.Root, "small.go"):                             []byte("package main\n\nfunc main() {}\n"),
		filepath.Join(o.Root, "services", "directory", "office.json"): []byte(`{"brand":"Test"}`),
		filepath.Join(o.Root, "web", "dist", "assets", "a.js"):        []byte("1"),
		filepath.Join(o.Root, "web", "dist", ".git", "config"):        []byte("[core]"),
		filepath.Join(o.Root, ".git", "config"):                       []byte("[core]"),
		filepath.Join(o.Root, "services", "directory", "secret.go"):   []byte("package directory"),
		filepath.Join(o.Root, "web", "package-lock.json"): []byte(`{"packages":{"":{},
			"node_modules/react":{"version":"19.0.0"},"node_modules/@t/vitest":{"version":"5.0.0","dev":true}}}`),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	visits := filepath.Join(o.bin(runtime.GOARCH), "visits")
	build := stack.GoCommand(t.Context(), o.Root, "build", "-buildvcs=false", "-o", visits, ".")
	build.Env = append(build.Env, "GOWORK=off")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return o
}

func visits() recipe {
	return recipe{name: "visits", web: true, env: []string{office}, programs: []program{{name: "visits"}}}
}

func TestTheSameSourcesGiveTheSameImage(t *testing.T) {
	o := repository(t)
	first, err := o.write(visits())
	if err != nil {
		t.Fatal(err)
	}
	second, err := o.write(visits())
	if err != nil || first.Digest != second.Digest {
		t.Errorf("%s and %s, %v", first.Digest, second.Digest, err)
	}
	if err := os.WriteFile(filepath.Join(o.Root, "web", "dist", "assets", "a.js"), []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, err := o.write(visits()); err != nil || third.Digest == first.Digest {
		t.Errorf("another file is the same image %s, %v", third.Digest, err)
	}
}

// An image runs as an unprivileged user, and can change none of its files.
func TestAnImageRunsUnprivilegedAndContainsItsBillOfMaterials(t *testing.T) {
	o := repository(t)
	if _, err := o.write(visits()); err != nil {
		t.Fatal(err)
	}
	tag, err := name.NewTag("baari.local/visits:1.0.1")
	if err != nil {
		t.Fatal(err)
	}
	img, err := tarball.ImageFromPath(filepath.Join(o.Out, "visits.tar"), &tag)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil || config.Config.User != "65532:65532" || config.Config.Entrypoint[0] != "/visits" {
		t.Errorf("%+v, %v", config.Config, err)
	}
	found := contents(t, img)
	for _, name := range []string{"visits", "www/assets/a.js", "etc/baari/office.json", "etc/passwd"} {
		if _, there := found[name]; !there {
			t.Errorf("no %s in the image", name)
		}
	}
	// ASVS 13.4.1
	for name := range found {
		if strings.Contains(name, ".git") || strings.HasSuffix(name, ".go") {
			t.Errorf("the image holds %s", name)
		}
	}
	var bill billOfMaterials
	if err := json.Unmarshal(found["sbom.cdx.json"], &bill); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, part := range bill.Components {
		names = append(names, part.URL)
	}
	all := strings.Join(names, "\n")
	// ASVS 15.1.2
	if !strings.Contains(all, "pkg:golang/stdlib@1.") || !strings.Contains(all, "pkg:npm/react@19.0.0") ||
		strings.Contains(all, "vitest") {
		t.Errorf("the bill contains\n%s", all)
	}
}

// contents reads the files of an image. The image's user must not be able to write any of them.
func contents(t *testing.T, img v1.Image) map[string][]byte {
	t.Helper()
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]byte{}
	for _, l := range layers {
		packed, err := l.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		for archive := tar.NewReader(packed); ; {
			header, err := archive.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if header.Uid != 0 || header.Mode&0o222 != 0 && header.Typeflag == tar.TypeReg {
				t.Errorf("%s is %o of user %d", header.Name, header.Mode, header.Uid)
			}
			if found[header.Name], err = io.ReadAll(archive); err != nil {
				t.Fatal(err)
			}
		}
		packed.Close()
	}
	return found
}

func TestTheProductHasAnImageForEachServiceTheWebAndTheOperator(t *testing.T) {
	chosen, err := choose(nil)
	if err != nil {
		t.Fatal(err)
	}
	var names, want []string
	for _, r := range chosen {
		names = append(names, r.name)
	}
	for _, service := range registry.Services {
		want = append(want, service.Image())
	}
	if want = append(want, "web", "baarictl"); !slices.Equal(names, want) {
		t.Errorf("the images are %v, want %v", names, want)
	}
}

func TestAnUnknownImageNameGivesAdvice(t *testing.T) {
	_, err := Build(t.Context(), Options{Names: []string{"visitors"}})
	if advice, ok := err.(stack.Advice); !ok || !strings.Contains(string(advice), "visits") {
		t.Errorf("got %v", err)
	}
}
