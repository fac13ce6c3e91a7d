package endpoint

import (
	"testing"

	"go.uber.org/goleak"
)

// testkit.VerifyNoLeaks cannot be used here: testkit imports this package. The ignored goroutine is go-redis's, which
// waits a second before it dials an unavailable server again.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}
