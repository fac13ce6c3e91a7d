package image

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// entry is a file of a layer with the content of a file of this machine, or with the given text. A name that ends in a
// slash is a folder.
type entry struct {
	name string
	mode int64
	file string
	text []byte
}

// baseFiles returns the files of every image: the user database and the default office.
func baseFiles(office string) []entry {
	return []entry{
		{name: "etc/", mode: 0o755},
		{name: "etc/baari/", mode: 0o755},
		{name: "etc/baari/office.json", mode: 0o444, file: office},
		{name: "etc/group", mode: 0o444, text: []byte("root:x:0:\nnonroot:x:65532:\n")},
		{name: "etc/nsswitch.conf", mode: 0o444, text: []byte("hosts: files dns\n")},
		{
			name: "etc/passwd", mode: 0o444,
			text: []byte("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n"),
		},
		{name: "tmp/", mode: 0o1777},
	}
}

// layer packs entries in the given order. All belong to root and have the same time.
func layer(entries []entry) (v1.Layer, error) {
	var packed bytes.Buffer
	archive := tar.NewWriter(&packed)
	for _, e := range entries {
		if err := add(archive, e); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
}

func add(archive *tar.Writer, e entry) error {
	text := e.text
	if e.file != "" {
		var err error
		if text, err = os.ReadFile(e.file); err != nil {
			return err
		}
	}
	header := &tar.Header{
		Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(text)), ModTime: epoch, Format: tar.FormatPAX,
	}
	if strings.HasSuffix(e.name, "/") {
		header.Typeflag = tar.TypeDir
	}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	_, err := archive.Write(text)
	return err
}
