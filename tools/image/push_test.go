package image

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// registryAt starts a registry in memory and returns the repository of images in it.
func registryAt(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://") + "/baari"
}

func TestAPushedImageIsOneIndexOfItsArchitecturesUnderEveryTag(t *testing.T) {
	o := repository(t)
	o.Repository, o.Architectures = registryAt(t), []string{runtime.GOARCH, "other"}
	if err := os.CopyFS(o.bin("other"), os.DirFS(o.bin(runtime.GOARCH))); err != nil {
		t.Fatal(err)
	}
	pushed, err := o.push(t.Context(), visits())
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range o.Tags {
		reference, err := name.NewTag(o.Repository + "/visits:" + tag)
		if err != nil {
			t.Fatal(err)
		}
		index, err := remote.Index(reference)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := index.Digest()
		if err != nil || digest.String() != pushed.Digest {
			t.Errorf("%s is %s, %v, want %s", tag, digest, err, pushed.Digest)
		}
		manifest, err := index.IndexManifest()
		if err != nil {
			t.Fatal(err)
		}
		var architectures []string
		for _, one := range manifest.Manifests {
			architectures = append(architectures, one.Platform.Architecture)
		}
		if !slices.Equal(architectures, o.Architectures) {
			t.Errorf("the index of %s has %v", tag, architectures)
		}
	}
}

func TestABillOfMaterialsRefersToItsPushedImage(t *testing.T) {
	o := repository(t)
	o.Repository, o.Architectures = registryAt(t), []string{runtime.GOARCH}
	if _, err := o.push(t.Context(), visits()); err != nil {
		t.Fatal(err)
	}
	tag, err := name.NewTag(o.Repository + "/visits:1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	img, err := remote.Image(tag)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	referrers, err := remote.Referrers(tag.Digest(digest.String()))
	if err != nil {
		t.Fatal(err)
	}
	found, err := referrers.IndexManifest()
	if err != nil || len(found.Manifests) != 1 || found.Manifests[0].ArtifactType != string(billType) {
		t.Fatalf("the image has the referrers %+v, %v", found, err)
	}
	artifact, err := remote.Image(tag.Digest(found.Manifests[0].Digest.String()))
	if err != nil {
		t.Fatal(err)
	}
	layers, err := artifact.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("the artifact has %d layers, %v", len(layers), err)
	}
	text, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	var bill billOfMaterials
	if err := json.NewDecoder(text).Decode(&bill); err != nil || len(bill.Components) == 0 {
		t.Errorf("the bill is %+v, %v", bill, err)
	}
}

func TestTraefikIsPushedForThisArchitectureAlone(t *testing.T) {
	o := repository(t)
	o.Names, o.Architectures = []string{"traefik"}, []string{"amd64", "arm64"}
	if _, err := Push(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--architecture "+runtime.GOARCH) {
		t.Errorf("got %v", err)
	}
}

func TestTheChartIsPushedWithoutTLSToARegistryOfThisMachine(t *testing.T) {
	for to, want := range map[string]bool{"localhost:5000/baari": true, "registry.example.com/baari": false} {
		folder := t.TempDir()
		helm, calls := filepath.Join(folder, "helm"), filepath.Join(folder, "calls")
		script := "#!/bin/sh\necho \"$*\" >> " + calls + "\n"
		if err := os.WriteFile(helm, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		o := repository(t)
		o.Repository, o.Helm = to, helm
		if err := PushChart(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(calls)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), "--plain-http"); got != want {
			t.Errorf("%s: %s", to, text)
		}
	}
}
