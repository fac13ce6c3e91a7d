package bus_test

import (
	"context"
	"fmt"
	"testing"

	"baari.dev/services/platform/bus"
	"baari.dev/services/platform/testkit"
)

// A slow subscriber does not delay publishers, and receives Joined for the messages that it has lost.
func TestASlowSubscriberIsNotifiedOfItsLoss(t *testing.T) {
	var local bus.Local
	busy, goOn := make(chan struct{}), make(chan struct{})
	joined := make(chan int, 3) // the number of messages received before each Joined
	received := 0
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		local.Subscribe(ctx, func(notice bus.Notice) {
			if notice.Joined {
				joined <- received
				return
			}
			if received++; received == 1 {
				close(busy)
				<-goOn
			}
		}, "news")
	}()
	<-joined // the subscription has begun
	publish := func(count int) {
		for i := range count {
			if err := local.Publish(t.Context(), "news", fmt.Append(nil, i)); err != nil {
				t.Error(err)
			}
		}
	}
	publish(1)
	<-busy
	publish(5000)
	close(goOn)
	if at := <-joined; at < 1 || at >= 5000 {
		t.Errorf("notified after %d messages", at)
	}
	cancel()
	<-ended
	if received >= 5000 {
		t.Errorf("%d of 5001 messages were received by a subscriber that was busy", received)
	}
	publish(1) // no subscriber is left
}

func TestAnEndedSubscriptionReceivesNothing(t *testing.T) {
	testkit.OnEachBus(t, func(t *testing.T, messages bus.Bus) {
		stays := listen(t, messages)
		stays.awaitJoined(t, 1)
		ctx, cancel := context.WithCancel(t.Context())
		leaves, ended := &subscriber{}, make(chan struct{})
		go func() { defer close(ended); messages.Subscribe(ctx, leaves.receive, "news") }()
		leaves.awaitJoined(t, 1)
		cancel()
		<-ended
		if err := messages.Publish(t.Context(), "news", []byte("later")); err != nil {
			t.Fatal(err)
		}
		testkit.Eventually(t, "the other subscriber receives it", func() bool {
			_, received := stays.state()
			return received == "news:later"
		})
		if _, received := leaves.state(); received != "" {
			t.Errorf("after its end it received %q", received)
		}
	})
}
