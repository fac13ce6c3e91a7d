package main

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"baari.dev/tools/stack"
	"baari.dev/tools/suite"
)

const koModule = "github.com/google/ko@v0.19.1"

// imagePart builds the image for this machine with ko, on an empty base from a registry in memory. It unpacks the image
// and starts its web server, which serves the web files of the image.
func imagePart(ctx context.Context, r *suite.Runner) error {
	ko, err := r.GoProgram(ctx, "ko", koModule)
	if err != nil {
		return err
	}
	if err := r.Scripts(ctx, "build:image"); err != nil {
		return err
	}
	server := httptest.NewServer(registry.New())
	defer server.Close()
	base := strings.TrimPrefix(server.URL, "http://") + "/base"
	if err := pushEmpty(ctx, base); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "baari-image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "image.tar")
	build := r.Command(ctx, "", ko, "build", "./gateway/cmd/baarid", "--push=false", "--bare", "--tarball", file,
		"--platform", "linux/"+runtime.GOARCH, "--sbom-dir", folder)
	if err := r.Run(build, "KO_DOCKER_REPO=baari.local/baari", "KO_DEFAULTBASEIMAGE="+base); err != nil {
		return err
	}
	bills, err := filepath.Glob(filepath.Join(folder, "*.spdx.json"))
	if err != nil || len(bills) == 0 {
		return fmt.Errorf("the image has no bill of materials: %w", err)
	}
	img, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		return err
	}
	root := filepath.Join(folder, "root")
	if err := unpack(img, root); err != nil {
		return err
	}
	return startUnpacked(ctx, root)
}

// pushEmpty pushes an image without files as the base.
func pushEmpty(ctx context.Context, at string) error {
	reference, err := name.ParseReference(at)
	if err != nil {
		return err
	}
	config := &v1.ConfigFile{OS: "linux", Architecture: runtime.GOARCH, RootFS: v1.RootFS{Type: "layers"}}
	img, err := mutate.ConfigFile(empty.Image, config)
	if err != nil {
		return err
	}
	return remote.Write(reference, img, remote.WithContext(ctx))
}

// unpack writes the regular files of an image into a folder.
func unpack(img v1.Image, root string) error {
	layers := mutate.Extract(img)
	defer func() { _ = layers.Close() }()
	files := tar.NewReader(layers)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		path := filepath.Join(root, filepath.Clean("/"+header.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			return err
		}
		out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, header.FileInfo().Mode().Perm())
		if err != nil {
			return err
		}
		_, err = io.Copy(out, files) //nolint:gosec // our own image
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
}

// startUnpacked starts the web server of an unpacked image and asks for its page.
func startUnpacked(ctx context.Context, root string) error {
	ports, err := stack.FreePorts(2)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	program := exec.CommandContext(ctx, filepath.Join(root, "ko-app", "baarid"), "--target=web")
	program.Env = []string{
		"KO_DATA_PATH=" + filepath.Join(root, "var", "run", "ko"), "HOST=127.0.0.1", "PORT=" + strconv.Itoa(ports[0]),
		"ADMIN_PORT=" + strconv.Itoa(ports[1]), "SHUTDOWN_DELAY=0s",
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = stack.Run(program) // A failure shows in the request for the page.
	}()
	defer func() {
		stop()
		<-ended
	}()
	var page strings.Builder
	err = stack.Await(ctx, time.Minute, func(ctx context.Context) error {
		page.Reset()
		return stack.Get(ctx, fmt.Sprintf("http://127.0.0.1:%d/", ports[0]), "", &page)
	})
	if err != nil {
		return fmt.Errorf("the web server of the image: %w", err)
	}
	if !strings.Contains(page.String(), `<div id="root"`) {
		return errors.New("the image serves no page")
	}
	return nil
}
