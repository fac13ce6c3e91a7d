package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Service calls the internal listener of one service, as services do: each call carries a token that is valid for a
// minute.
type Service struct {
	Base     string // the internal address
	Audience string // the called service
	Caller   string // the calling service
	Secret   string // SERVICE_SECRET of the installation
}

// Call posts a body and decodes the answer into a value, if one is given. It returns *Refused for an error status.
func (s Service) Call(ctx context.Context, path string, body, into any) error {
	request, err := s.request(ctx, path, body)
	if err != nil {
		return err
	}
	return do(http.DefaultClient, request, into)
}

// Lines posts a body and calls each with every line of the answer, a JSON value each. It returns *Refused for an error
// status, and an error for an incomplete answer.
func (s Service) Lines(ctx context.Context, path string, body any, each func(json.RawMessage) error) error {
	request, err := s.request(ctx, path, body)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode >= http.StatusMultipleChoices {
		text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<10))
		return errors.Join(refused(answer, text), err)
	}
	for values := json.NewDecoder(answer.Body); ; {
		var line json.RawMessage
		if err := values.Decode(&line); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := each(line); err != nil {
			return err
		}
	}
}

func (s Service) request(ctx context.Context, path string, body any) (*http.Request, error) {
	now := time.Now()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer: "baari", Subject: s.Caller, Audience: jwt.ClaimStrings{s.Audience},
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute)),
	}).SignedString([]byte(s.Secret))
	if err != nil {
		return nil, err
	}
	request, err := newRequest(ctx, http.MethodPost, s.Base+path, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return request, nil
}
