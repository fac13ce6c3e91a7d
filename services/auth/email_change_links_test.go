package auth

import (
	"testing"
	"time"
)

// A change is not confirmed if another user has taken the address meanwhile, or can get it back with a stop link.
func TestAnAddressThatWasTakenMeanwhileIsNotConfirmed(t *testing.T) {
	o := open(t)
	admin, bina := o.admin("boss"), o.join("bina")
	o.requestEmail(bina.Token, "free@example.com", "").want(200)
	link := o.confirmation("free@example.com", 1)
	free := o.join("free")
	o.get(link).wantCode(401, "INVALID_TOKEN")
	o.moveTo(free.Token, "other@example.com") // free@example.com is now reserved for its owner
	o.get(link).wantCode(401, "INVALID_TOKEN")
	o.wantEmail(admin, bina, bina.Email)
}

// The confirmation link becomes invalid when the session that requested it ends, also by expiry.
func TestTheConfirmationLinkEndsWhenItsSessionExpires(t *testing.T) {
	o := open(t, func(options *Options) { options.Lifetimes.Idle = 10 * time.Minute })
	asha := o.join("asha")
	o.requestEmail(asha.Token, intruder, "").want(200)
	link := o.confirmation(intruder, 1)
	o.later(11 * time.Minute)
	o.get(link).wantCode(401, "INVALID_TOKEN")
}
