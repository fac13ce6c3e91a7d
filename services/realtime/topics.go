package realtime

import (
	"slices"

	"baari.dev/services/contract"
)

// topic names a set of streams, in the form kind:value. A frame is published to topics and a stream subscribes to
// topics, as in Mercure (https://mercure.rocks/spec#topic). There are three kinds: role:ROLE and user:ID for staff, and
// board:KIND for the screens in the waiting room. Frames for these screens name no person.
type topic string

// board is the topic of all paired screens.
const board topic = "board:display"

const (
	reception  topic = "role:" + contract.RoleReception
	pa         topic = "role:" + contract.RolePA
	consultant topic = "role:" + contract.RoleConsultant
	admin      topic = "role:" + contract.RoleAdmin
)

// roleNames are the roles of staff in the order of the API document.
var roleNames = [...]string{contract.RoleReception, contract.RolePA, contract.RoleConsultant, contract.RoleAdmin}

var staff = topicsOfRoles(roleNames[:]...)

// topicsOfRoles returns the topics of the named roles, in the order of roleNames. Unknown names are ignored.
func topicsOfRoles(names ...string) (topics []topic) {
	for _, role := range roleNames {
		if slices.Contains(names, role) {
			topics = append(topics, topic("role:"+role))
		}
	}
	return topics
}

func userTopic(id string) topic { return topic("user:" + id) }

// subscriptions returns the topics of a user with this role. Only a consultant has a user topic; for the other roles,
// the topic of the role is enough.
func subscriptions(role, userID string) []topic {
	if role == contract.RoleDisplay {
		return []topic{board}
	}
	topics := topicsOfRoles(role)
	if role == contract.RoleConsultant {
		topics = append(topics, userTopic(userID))
	}
	return topics
}

// frame is one data line of the stream and its recipients. All recipients share the bytes.
type frame struct {
	topics    []topic
	except    []topic // streams with one of these topics do not receive it
	broadcast bool    // published to every stream, whatever its topics: heartbeats and resets
	data      []byte
	trace     string // traceparent of the delivery; "" if its trace is not sampled
}

// reaches reports whether a stream with these topics receives the frame, both live and in a replay.
func (f frame) reaches(topics []topic) bool {
	return f.broadcast || meet(f.topics, topics) && !meet(f.except, topics)
}

func meet(a, b []topic) bool {
	return slices.ContainsFunc(a, func(t topic) bool { return slices.Contains(b, t) })
}
