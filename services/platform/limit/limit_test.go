package limit_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/fault"
	"baari.dev/services/platform/limit"
	"baari.dev/services/platform/testkit"
)

var threeAnHour = limit.Rule{Name: "orders", By: limit.PerUser, Count: 3, Period: time.Hour, Burst: 3}

// allowed returns how many of the requests are allowed, and the fault of the last request that is not.
func allowed(l *limit.Limiter, rule limit.Rule, who string, tries int) (passed int, last *fault.Fault) {
	for range tries {
		if err := l.Allow(context.Background(), rule, who); err != nil {
			last = fault.Of(err)
			continue
		}
		passed++
	}
	return passed, last
}

// waitForRedis makes a limiter wait for Redis as long as a busy machine needs, and returns a function that ends this.
func waitForRedis(t *testing.T) (end func()) {
	t.Helper()
	usual := limit.Patience
	limit.Patience = time.Minute
	end = func() { limit.Patience = usual }
	t.Cleanup(end)
	return end
}

// Requests are counted over all replicas, separately for each caller and rule.
func TestReplicasShareTheCount(t *testing.T) {
	waitForRedis(t)
	redis := testkit.NewRedis(t)
	one, two := limit.New(redis.Client, "shop"), limit.New(redis.Client, "shop")
	first, _ := allowed(one, threeAnHour, "asha", 2)
	second, rejected := allowed(two, threeAnHour, "asha", 3)
	// ASVS 2.4.1
	if first+second != 3 {
		t.Errorf("%d passed at one and %d at the other, want 3 together", first, second)
	}
	if rejected.Status() != 429 || rejected.RetryAfter <= 0 || rejected.RetryAfter > 20*time.Minute {
		t.Errorf("rejected with %d, to be tried again after %v", rejected.Status(), rejected.RetryAfter)
	}
	other := threeAnHour
	other.Name = "notes"
	for _, c := range []struct {
		rule limit.Rule
		who  string
	}{{threeAnHour, "ravi"}, {other, "asha"}, {threeAnHour, "ravi\r\nFLUSHALL\r\n"}, {threeAnHour, "ravi *"}} {
		// ASVS 1.3.9
		if passed, _ := allowed(one, c.rule, c.who, 4); passed != 3 {
			t.Errorf("%s of %s: %d passed", c.rule.Name, c.who, passed)
		}
	}
}

// Without Redis each replica counts alone. The limit still applies, and calls are not delayed for long.
func TestWithoutRedisEachReplicaCounts(t *testing.T) {
	redis := testkit.NewRedis(t)
	client, err := bus.Open(redis.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	l := limit.New(client.Client, "shop")
	end := waitForRedis(t)
	allowed(l, threeAnHour, "asha", 1)
	end()
	redis.Stop()
	started := time.Now()
	passed, rejected := allowed(l, threeAnHour, "asha", 6)
	// ASVS 16.5.2
	if passed != 3 || rejected.Status() != 429 || rejected.RetryAfter != 20*time.Minute {
		t.Errorf("%d passed, then %v after %v", passed, rejected, rejected.RetryAfter)
	}
	testkit.AtMost(t, "six calls", time.Since(started), time.Second)
	for i := range 3 {
		if got, _ := allowed(l, threeAnHour, fmt.Sprint("other-", i), 4); got != 3 {
			t.Errorf("of another caller %d passed", got)
		}
	}
	redis.Start(t)
	testkit.Eventually(t, "Redis counts again", func() bool {
		left, _ := allowed(l, threeAnHour, "asha", 1)
		return left == 1
	})
}

func TestWithoutRedisManyAddressesResetNoCounter(t *testing.T) {
	l := limit.New(nil, "shop")
	count := func(address string) bool { return l.Allow(t.Context(), threeAnHour, address) == nil }
	for i := range 9_999 {
		count(fmt.Sprint("address-", i))
	}
	for count("asha") {
	}
	for i := range 9_000 {
		if count(fmt.Sprint("other-", i)); i%3_000 == 0 && count("asha") {
			t.Fatalf("asha is allowed again after %d other addresses", i)
		}
	}
}

// The counters of a rule belong to one service; only the counters of the rule Product belong to all services.
func TestServicesShareTheProductsRateOnly(t *testing.T) {
	redis := testkit.NewRedis(t)
	shop, bank := limit.New(redis.Client, "shop"), limit.New(redis.Client, "bank")
	ofShop, _ := allowed(shop, threeAnHour, "asha", 3)
	if ofBank, _ := allowed(bank, threeAnHour, "asha", 3); ofShop != 3 || ofBank != 3 {
		t.Errorf("%d passed at one service and %d at the other, want 3 each", ofShop, ofBank)
	}
	product := limit.Product
	product.Count, product.Period = 3, time.Hour
	product.Burst = 3
	ofShop, _ = allowed(shop, product, "ravi", 2)
	if ofBank, _ := allowed(bank, product, "ravi", 3); ofShop+ofBank != 3 {
		t.Errorf("%d and %d requests passed the rate of all services, want 3 together", ofShop, ofBank)
	}
}

func TestNoLimit(t *testing.T) {
	for name, l := range map[string]*limit.Limiter{"none": nil, "LIMITS=off": {}} {
		if passed, _ := allowed(l, threeAnHour, "asha", 10); passed != 10 {
			t.Errorf("%s: %d of 10 passed", name, passed)
		}
	}
	if passed, _ := allowed(limit.New(testkit.NewRedis(t).Client, "shop"), limit.Rule{}, "asha", 10); passed != 10 {
		t.Errorf("a row without a rule: %d of 10 passed", passed)
	}
}

func TestCheckNamesWhatARuleLacks(t *testing.T) {
	for _, rule := range []limit.Rule{
		{By: limit.PerUser, Count: 1, Period: 1, Burst: 1}, {Name: "a", By: limit.PerUser, Period: 1, Burst: 1},
		{Name: "a", By: limit.PerAddress, Count: 1, Burst: 1}, {Name: "a", By: limit.PerAddress, Count: 1, Period: 1},
	} {
		if rule.Check() == nil {
			t.Errorf("%+v passed", rule)
		}
	}
	if err := threeAnHour.Check(); err != nil {
		t.Error(err)
	}
	if err := (limit.Rule{}).Check(); err != nil {
		t.Errorf("no limit at all: %v", err)
	}
}
