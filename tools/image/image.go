// Package image builds the container images without a container engine, a registry or a base image. The same sources
// give the same digest. Start reading at Build; recipes lists the images.
package image

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"baari.dev/tools/stack"
)

// Options select the images to build and their names.
type Options struct {
	Root       string   // of the repository
	Out        string   // folder for NAME.tar and NAME.cdx.json
	Repository string   // images are REPOSITORY/NAME:TAG
	Tags       []string // tags of each image
	Names      []string // empty: every image of the product, without Traefik
	Progress   *stack.Progress

	// Only for Push:
	Architectures []string // of the images in an index, such as amd64 and arm64
	Helm          string   // path of helm, which packs and pushes the chart; empty: the chart is not pushed
	PlainHTTP     bool     // the registry has no TLS; one on this machine needs no flag
}

// Built is one image.
type Built struct {
	Name, File, Digest string
	Size               int64
}

// user is the unprivileged user and group of the images.
const user = "65532:65532"

// epoch is the modification time of every file in an image, so that builds are reproducible.
var epoch = time.Unix(0, 0).UTC()

// Build builds the images and writes each, with its bill of materials, into the folder. It returns Advice for an
// unknown name.
func Build(ctx context.Context, options Options) ([]Built, error) {
	chosen, err := choose(options.Names)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(options.Out, 0o750); err != nil {
		return nil, err
	}
	if err := compile(ctx, options, chosen, runtime.GOARCH); err != nil {
		return nil, err
	}
	built := make([]Built, 0, len(chosen))
	for _, r := range chosen {
		one, err := options.write(r)
		if err != nil {
			return nil, fmt.Errorf("image %s: %w", r.name, err)
		}
		built = append(built, one)
	}
	return built, nil
}

func choose(names []string) ([]recipe, error) {
	var chosen []recipe
	var known []string
	for _, r := range recipes {
		known = append(known, r.name)
		if slices.Contains(names, r.name) || len(names) == 0 && !r.ofOthers {
			chosen = append(chosen, r)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, stack.Advice(fmt.Sprintf("There is no image %q: choose from %s.", name, strings.Join(known, ", ")))
		}
	}
	return chosen, nil
}

// bin returns the folder of the programs, which is kept between builds. Those of `up` have other build settings.
func (o Options) bin(architecture string) string {
	return filepath.Join(o.Root, ".baari", "image", architecture)
}

// write assembles one image and writes it as a tarball that every container engine can load.
func (o Options) write(r recipe) (Built, error) {
	bill, err := o.bill(r, runtime.GOARCH)
	if err != nil {
		return Built{}, err
	}
	billFile := filepath.Join(o.Out, r.name+".cdx.json")
	if err := os.WriteFile(billFile, bill, 0o600); err != nil {
		return Built{}, err
	}
	img, err := o.assemble(r, bill, runtime.GOARCH)
	if err != nil {
		return Built{}, err
	}
	digest, err := img.Digest()
	if err != nil {
		return Built{}, err
	}
	references := map[name.Reference]v1.Image{}
	for _, tag := range o.Tags {
		reference, err := name.NewTag(o.Repository + "/" + r.name + ":" + tag)
		if err != nil {
			return Built{}, stack.Advice(err.Error())
		}
		references[reference] = img
	}
	file := filepath.Join(o.Out, r.name+".tar")
	if err := tarball.MultiRefWriteToFile(file, references); err != nil {
		return Built{}, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return Built{}, err
	}
	return Built{Name: r.name, File: file, Digest: digest.String(), Size: info.Size()}, nil
}

// assemble returns the image of a recipe for an architecture, in the media types of the OCI specification.
func (o Options) assemble(r recipe, bill []byte, architecture string) (v1.Image, error) {
	base, err := layer(baseFiles(filepath.Join(o.Root, "services", "directory", "office.json")))
	if err != nil {
		return nil, err
	}
	files, err := o.files(r, architecture)
	if err != nil {
		return nil, err
	}
	content, err := layer(append(files, entry{name: "sbom.cdx.json", mode: 0o444, text: bill}))
	if err != nil {
		return nil, err
	}
	blank := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err := mutate.AppendLayers(blank, base, content)
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", architecture, v1.Time{Time: epoch}
	config.Config = v1.Config{
		User: user, WorkingDir: "/", Entrypoint: []string{"/" + r.programs[0].name}, Env: r.env,
		Labels: map[string]string{
			"org.opencontainers.image.title": "baari " + r.name, "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return mutate.ConfigFile(img, config)
}
