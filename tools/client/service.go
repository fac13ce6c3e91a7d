package client

import (
	"context"
	"net/http"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Service calls the internal listener of one service, as the services call each other: each call carries a token that holds for a minute.
type Service struct {
	Base     string // the internal address
	Audience string // the called service
	Caller   string // who calls
	Secret   string // SERVICE_SECRET of the installation
}

// Call posts a body and reads the answer into a value, if one is given. It returns *Refused when the answer is no success.
func (s Service) Call(ctx context.Context, path string, body, into any) error {
	now := time.Now()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer: "baari", Subject: s.Caller, Audience: jwt.ClaimStrings{s.Audience},
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(time.Minute)),
	}).SignedString([]byte(s.Secret))
	if err != nil {
		return err
	}
	request, err := newRequest(ctx, http.MethodPost, s.Base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return do(http.DefaultClient, request, into)
}
