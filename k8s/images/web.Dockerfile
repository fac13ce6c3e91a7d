# The built web with its server, the small gateway, the writer of Traefik's configuration and the test of an installation:
# docker build -f k8s/images/web.Dockerfile .
ARG GO=1.26.8
ARG NODE=24
FROM --platform=$BUILDPLATFORM docker.io/library/node:${NODE} AS web
WORKDIR /source
COPY web/package.json web/package-lock.json web/
RUN cd web && npm ci --ignore-scripts
COPY services/directory/office.json services/directory/office.json
COPY web web
RUN cd web && npx vite build

FROM --platform=$BUILDPLATFORM docker.io/library/golang:${GO} AS build
ARG TARGETOS TARGETARCH
WORKDIR /source
COPY gateway/go.mod gateway/go.sum gateway/
COPY services/go.mod services/go.sum services/
RUN cd gateway && go mod download
COPY services/platform services/platform
COPY gateway gateway
RUN cd gateway && CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags="-s -w -buildid=" -o /programs/ ./cmd/...

FROM gcr.io/distroless/static:nonroot
COPY --from=build /programs/ /
COPY --from=web /source/web/dist /www
COPY services/directory/office.json /etc/baari/office.json
ENV OFFICE_FILE=/etc/baari/office.json WEB_ROOT=/www
USER 65532:65532
ENTRYPOINT ["/web"]
