{{/* Secrets that are made once: what the cluster has already is kept. */}}

{{/* dict root, secret (its name), key: the value that the cluster has, else a new one. */}}
{{- define "baari.kept" -}}
{{- $there := lookup "v1" "Secret" .root.Release.Namespace .secret }}
{{- $value := "" }}
{{- if $there }}{{ $value = index ($there.data | default dict) .key | default "" | b64dec }}{{ end }}
{{- $value | default (randAlphaNum 40) }}
{{- end }}

{{- define "baari.secretsName" -}}
{{ .Values.secrets.existing | default (printf "%s-secrets" (include "baari.name" .)) }}
{{- end }}

{{- define "baari.redisSecret" -}}
{{ .Values.secrets.existingRedis | default (printf "%s-redis" (include "baari.name" .)) }}
{{- end }}

{{/* dict root, name, service */}}
{{- define "baari.databaseSecret" -}}
{{- with .root.Values.secrets.existingDatabases }}{{ printf . $.name }}{{ else }}{{ include "baari.name" .root }}-{{ .name }}-database{{ end }}
{{- end }}

{{/* Where roles and databases are made by the administrator of a server: the name of its Secret, else nothing. */}}
{{- define "baari.adminSecret" -}}
{{- if not .Values.secrets.existingDatabases }}{{ include "baari.name" . }}-postgres{{ end }}
{{- end }}

{{- define "baari.bundledPostgres" -}}
{{- if and (not .Values.secrets.existingDatabases) (not .Values.postgres.url) }}yes{{ end }}
{{- end }}

{{- define "baari.bundledRedis" -}}
{{- if and (not .Values.secrets.existingRedis) (not .Values.redis.url) }}yes{{ end }}
{{- end }}

{{/* A variable out of a Secret: dict name, secret, optional. */}}
{{- define "baari.secretEnv" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }}}}
{{- end }}

{{/* The container that brings a service's database up to date, in a pod of the service or of the hook: dict root, name, service. */}}
{{- define "baari.migration" -}}
{{- $database := include "baari.databaseSecret" . }}
- name: migrate-{{ .name }}
  image: {{ include "baari.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [migrate]
  env:
    - {name: LOG_LEVEL, value: {{ .root.Values.logLevel | quote }}}
    {{- include "baari.secretEnv" (dict "name" "DATABASE_URL" "secret" $database) | nindent 4 }}
    {{- include "baari.secretEnv" (dict "name" "MIGRATE_DATABASE_URL" "secret" $database) | nindent 4 }}
    {{- with include "baari.adminSecret" .root }}
    {{- include "baari.secretEnv" (dict "name" "ADMIN_DATABASE_URL" "secret" .) | nindent 4 }}
    {{- end }}
  {{- include "baari.containerSecurity" . | nindent 2 }}
  resources:
    requests: {cpu: 10m, memory: 32Mi}
    limits: {memory: 128Mi}
{{- end }}
