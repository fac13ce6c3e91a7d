package image

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"baari.dev/tools/stack"
)

// billType is the media type of a CycloneDX document, and the artifact type of the manifest that refers to an image.
const billType = types.MediaType("application/vnd.cyclonedx+json")

// Pushed is one image in the registry.
type Pushed struct{ Name, Reference, Digest string }

// Push builds the images for all architectures and pushes each as one index under every tag, each with its bill of
// materials as a referrer (OCI distribution specification 1.1), and then the chart to oci://REPOSITORY/charts. The
// credentials are those of `docker login`, `podman login` or `helm registry login`. It returns Advice for an unknown
// image or an invalid repository.
func Push(ctx context.Context, options Options) ([]Pushed, error) {
	chosen, err := choose(options.Names)
	if err != nil {
		return nil, err
	}
	for _, r := range chosen {
		if r.ofOthers && !slices.Equal(options.Architectures, []string{runtime.GOARCH}) {
			advice := fmt.Sprintf("The image %s is built for %s alone: --architecture %[2]s.", r.name, runtime.GOARCH)
			return nil, stack.Advice(advice)
		}
	}
	for _, architecture := range options.Architectures {
		if err := compile(ctx, options, chosen, architecture); err != nil {
			return nil, err
		}
	}
	pushed := make([]Pushed, 0, len(chosen))
	for _, r := range chosen {
		one, err := options.push(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("image %s: %w", r.name, err)
		}
		pushed = append(pushed, one)
	}
	if options.Helm == "" {
		return pushed, nil
	}
	return pushed, PushChart(ctx, options)
}

// push writes the index of an image, then the bills of its images, then the tags: a tag names a complete image.
func (o Options) push(ctx context.Context, r recipe) (Pushed, error) {
	repository, err := name.NewRepository(o.Repository+"/"+r.name, o.nameOptions()...)
	if err != nil {
		return Pushed{}, stack.Advice(err.Error())
	}
	index, bills, err := o.index(r)
	if err != nil {
		return Pushed{}, err
	}
	digest, err := index.Digest()
	if err != nil {
		return Pushed{}, err
	}
	to := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	if err := remote.WriteIndex(repository.Digest(digest.String()), index, to...); err != nil {
		return Pushed{}, err
	}
	for _, bill := range bills {
		digest, err := bill.Digest()
		if err != nil {
			return Pushed{}, err
		}
		if err := remote.Write(repository.Digest(digest.String()), bill, to...); err != nil {
			return Pushed{}, err
		}
	}
	for _, tag := range o.Tags {
		if err := remote.Tag(repository.Tag(tag), index, to...); err != nil {
			return Pushed{}, err
		}
	}
	return Pushed{Name: r.name, Reference: repository.Name(), Digest: digest.String()}, nil
}

// index returns the index of an image and the bill of materials of each of its architectures.
func (o Options) index(r recipe) (v1.ImageIndex, []v1.Image, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var bills []v1.Image
	for _, architecture := range o.Architectures {
		img, bill, err := o.withBill(r, architecture)
		if err != nil {
			return nil, nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
		bills = append(bills, bill)
	}
	return index, bills, nil
}

// withBill returns the image of an architecture, and its bill of materials as an artifact whose subject is that image.
func (o Options) withBill(r recipe, architecture string) (img, bill v1.Image, err error) {
	text, err := o.bill(r, architecture)
	if err != nil {
		return nil, nil, err
	}
	if img, err = o.assemble(r, text, architecture); err != nil {
		return nil, nil, err
	}
	subject, err := partial.Descriptor(img)
	if err != nil {
		return nil, nil, err
	}
	blank := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), billType)
	artifact, err := mutate.AppendLayers(blank, static.NewLayer(text, billType))
	if err != nil {
		return nil, nil, err
	}
	return img, mutate.Subject(artifact, *subject).(v1.Image), nil
}

func (o Options) nameOptions() []name.Option {
	if o.PlainHTTP {
		return []name.Option{name.Insecure}
	}
	return nil
}

// PushChart packs the chart with its own version and pushes it to oci://REPOSITORY/charts.
// Like the images it goes without TLS to a registry on this machine, for which helm would try TLS first.
func PushChart(ctx context.Context, o Options) error {
	repository, err := name.NewRepository(o.Repository+"/charts", o.nameOptions()...)
	if err != nil {
		return stack.Advice(err.Error())
	}
	folder, err := os.MkdirTemp("", "baari-chart-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	return o.Progress.Step("pushing the chart", func() error {
		chart := filepath.Join(o.Root, "charts", "baari")
		pack := exec.CommandContext(ctx, o.Helm, "package", chart, "--destination", folder)
		if _, err := stack.Output(pack); err != nil {
			return err
		}
		packed, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
		if err != nil {
			return err
		}
		args := append([]string{"push"}, packed...)
		args = append(args, "oci://"+o.Repository+"/charts")
		if repository.Scheme() == "http" {
			args = append(args, "--plain-http")
		}
		_, err = stack.Output(exec.CommandContext(ctx, o.Helm, args...))
		return err
	})
}
