package mailing

import (
	"context"
	"net/url"
	"strconv"

	"baari.dev/services/auth/account"
)

// Invite mails the link that sets the first password of an account. Without a mail server the administrator sends the
// link, which the response contains.
func (m *Mailing) Invite(ctx context.Context, inviter string, to account.User, link string) {
	m.notify(ctx, OfInvitation, to, func(texts Texts) Content {
		return Content{
			Subject: Filled(texts.InviteSubject, "office", m.Office()), Button: texts.InviteButton, Link: link,
			Lines: []string{Filled(texts.InviteLine, "inviter", inviter)},
		}
	})
}

// LetIn mails a person whose account an administrator has approved.
func (m *Mailing) LetIn(ctx context.Context, to account.User) {
	m.notify(ctx, OfApproval, to, func(texts Texts) Content {
		return Content{
			Subject: texts.LetInSubject, Button: texts.LetInButton, Link: m.URL("/login", nil),
			Lines: []string{Filled(texts.LetInLine, "office", m.Office())},
		}
	})
}

// Waiting mails an administrator how many people wait for approval.
func (m *Mailing) Waiting(ctx context.Context, to account.User, people int) {
	m.notify(ctx, OfWaiting, to, func(texts Texts) Content {
		subject := texts.WaitingSubject
		if people == 1 {
			subject = texts.WaitingSubjectOne
		}
		return Content{
			Subject: Filled(subject, "count", strconv.Itoa(people)), Button: texts.WaitingButton,
			Link:  m.URL("/dashboard/admin", url.Values{"tab": {"staff"}}),
			Lines: []string{Filled(texts.WaitingLine, "office", m.Office())},
		}
	})
}

// notify queues a mail that another person has caused, in the language of its reader. If it cannot be queued, that is
// logged only, because the call that caused it has succeeded.
func (m *Mailing) notify(ctx context.Context, kind string, to account.User, write func(Texts) Content) {
	if !m.Configured(ctx, kind) {
		return
	}
	err := m.Enqueue(ctx, m.Counted(kind, func(context.Context) (string, error) {
		return to.Email, nil
	}, func(ctx context.Context) error {
		language := m.LanguageOfOther(to)
		content := write(TextsOf(language))
		content.Language = language
		return m.Send(ctx, to, content)
	}))
	if err != nil {
		m.log.WarnContext(ctx, "a mail was not sent", "kind", kind, "cause", err)
	}
}
