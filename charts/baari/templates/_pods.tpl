{{/* What all pods have in common. */}}

{{- define "baari.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "baari.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{/* Alive, ready and started, on the admin port: dict nothing. All pods share one PostgreSQL: while it restarts they stay in
the Service and answer 503 with Retry-After, where an empty Service is a 502 or 503 of the gateway. */}}
{{- define "baari.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 10
  timeoutSeconds: 2
readinessProbe:
  httpGet: {path: "/readyz?exclude=postgres", port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end }}

{{/* Environment of every Baari program. */}}
{{- define "baari.commonEnv" -}}
- {name: BASE_URL, value: {{ .Values.baseUrl | quote }}}
- {name: TRUSTED_PROXY_HOPS, value: {{ .Values.trustedProxyHops | quote }}}
- {name: LIMITS, value: {{ .Values.limits | quote }}}
- {name: SHUTDOWN_DELAY, value: {{ .Values.lifecycle.shutdownDelay | quote }}}
- {name: DRAIN_TIMEOUT, value: {{ .Values.lifecycle.drainTimeout | quote }}}
- {name: LOG_LEVEL, value: {{ .Values.logLevel | quote }}}
{{- include "baari.caEnv" . }}
{{- with .Values.tracing.endpoint }}
- {name: OTEL_TRACES_EXPORTER, value: otlp}
- {name: OTEL_EXPORTER_OTLP_PROTOCOL, value: http/protobuf}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
{{- end }}
{{- end }}

{{/* Addresses of the services' internal listeners. */}}
{{- define "baari.serviceAddresses" -}}
{{- range $name, $service := .Values.services }}
- {name: {{ include "baari.upstream" (dict "name" $name "service" $service) | upper }}_URL, value: "http://{{ include "baari.name" $ }}-{{ $name }}:8081"}
{{- end }}
{{- end }}

{{- define "baari.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* The office document, where it is not the default one that the program holds, and the certificates of trustedCA. */}}
{{- define "baari.officeEnv" }}
{{- if .Values.office }}
- {name: OFFICE_FILE, value: /etc/baari/office.json}
{{- end }}
{{- end }}

{{- define "baari.mounts" -}}
{{- if .Values.office }}
- {name: office, mountPath: /etc/baari, readOnly: true}
{{- end }}
{{- include "baari.caMount" . }}
{{- end }}

{{- define "baari.volumes" -}}
{{- if .Values.office }}
- name: office
  configMap: {name: {{ include "baari.name" . }}-office}
{{- end }}
{{- include "baari.caVolume" . }}
{{- end }}

{{- define "baari.caMount" }}
{{- if or .Values.trustedCA.secret .Values.trustedCA.configMap }}
- {name: trusted-ca, mountPath: /etc/baari-ca, readOnly: true}
{{- end }}
{{- end }}

{{- define "baari.caVolume" }}
{{- with .Values.trustedCA }}
{{- if or .secret .configMap }}
- name: trusted-ca
  {{- if .secret }}
  secret: {secretName: {{ .secret }}, items: [{key: {{ .key | quote }}, path: ca.crt}]}
  {{- else }}
  configMap: {name: {{ .configMap }}, items: [{key: {{ .key | quote }}, path: ca.crt}]}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* Go reads the certificates of this folder beside those of the image. */}}
{{- define "baari.caEnv" }}
{{- if or .Values.trustedCA.secret .Values.trustedCA.configMap }}
- {name: SSL_CERT_DIR, value: /etc/baari-ca}
{{- end }}
{{- end }}

{{- define "baari.officeChecksum" -}}
{{- with .Values.office -}}
checksum/office: {{ toJson . | sha256sum }}
{{- end }}
{{- end }}
