package bench

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"
)

// hashing is the processor time of one password hash of auth and nothing else: argon2id, 19 MiB, two passes, on as many
// threads as there are processors, as auth computes them.
func hashing(lasting time.Duration) (time.Duration, error) {
	before, err := processorTime(os.Getpid())
	if err != nil {
		return 0, err
	}
	var hashes atomic.Int64
	var workers sync.WaitGroup
	end := time.Now().Add(lasting)
	for range runtime.NumCPU() {
		workers.Go(func() {
			for time.Now().Before(end) {
				argon2.IDKey([]byte(password), []byte("sixteen bytes ok"), 2, 19*1024, 1, 32)
				hashes.Add(1)
			}
		})
	}
	workers.Wait()
	after, err := processorTime(os.Getpid())
	return (after - before) / time.Duration(hashes.Load()), err
}
