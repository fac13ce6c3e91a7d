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

{{/* Alive, ready and started, on the admin port: dict nothing. */}}
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
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end }}

{{/* Environment of every Baari program. */}}
{{- define "baari.commonEnv" -}}
- {name: BASE_URL, value: {{ .Values.baseUrl | quote }}}
- {name: TRUSTED_PROXIES, value: {{ join "," .Values.trustedProxies | quote }}}
- {name: LIMITS, value: {{ .Values.limits | quote }}}
- {name: SHUTDOWN_DELAY, value: {{ .Values.lifecycle.shutdownDelay | quote }}}
- {name: DRAIN_TIMEOUT, value: {{ .Values.lifecycle.drainTimeout | quote }}}
- {name: LOG_LEVEL, value: {{ .Values.logLevel | quote }}}
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

{{/* The office document, where it is not the default one that the images hold. */}}
{{- define "baari.officeMount" -}}
{{- if .Values.office -}}
- {name: office, mountPath: /etc/baari, readOnly: true}
{{- end }}
{{- end }}

{{- define "baari.officeVolume" -}}
{{- if .Values.office -}}
- name: office
  configMap: {name: {{ include "baari.name" . }}-office}
{{- end }}
{{- end }}

{{- define "baari.officeChecksum" -}}
{{- with .Values.office }}
checksum/office: {{ toJson . | sha256sum }}
{{- end }}
{{- end }}
