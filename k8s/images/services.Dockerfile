# One service: docker build -f k8s/images/services.Dockerfile --build-arg SERVICE=visits .
# baarictl: --build-arg SERVICE=operate --build-arg PROGRAM=baarictl
# `go run ./tools/baari image` builds the same image without a container engine.
ARG GO=1.26.8
FROM --platform=$BUILDPLATFORM docker.io/library/golang:${GO} AS build
ARG TARGETOS TARGETARCH SERVICE PROGRAM LDFLAGS="-s -w -buildid=" GCFLAGS=""
WORKDIR /source
COPY services/go.mod services/go.sum services/
RUN cd services && go mod download
COPY services services
RUN cd services && CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags="$LDFLAGS" -gcflags="$GCFLAGS" -o /service ./$SERVICE/cmd/${PROGRAM:-$SERVICE}

FROM gcr.io/distroless/static:nonroot
COPY --from=build /service /service
COPY services/directory/office.json /etc/baari/office.json
ENV OFFICE_FILE=/etc/baari/office.json
USER 65532:65532
ENTRYPOINT ["/service"]
