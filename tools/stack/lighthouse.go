package stack

import (
	"context"
	"path/filepath"
)

// FindLighthouse returns the path of Lighthouse, which npm downloads if needed. It returns Advice if that fails.
func FindLighthouse(ctx context.Context, progress *Progress) (string, error) {
	var modules string
	err := progress.Step("getting Lighthouse", func() (err error) {
		modules, err = fetchPackages(ctx, "lighthouse")
		return err
	})
	return filepath.Join(modules, "lighthouse", "cli", "index.js"),
		orAdvice(err, "Lighthouse could not be downloaded with npm: check the network.")
}
