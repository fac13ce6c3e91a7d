{{/* Secrets: which ones there are, and the variables out of them. */}}

{{- define "baari.secretsName" -}}
{{ .Values.secrets.existing | default (printf "%s-secrets" (include "baari.name" .)) }}
{{- end }}

{{/* The Secret with the account of a service in Redis, of the administrator of the bundled one without a service: dict root, name. */}}
{{- define "baari.redisSecret" -}}
{{- if .root.Values.secrets.existingRedis }}{{ .root.Values.secrets.existingRedis | replace "%s" (.name | default "") }}
{{- else if not (include "baari.bundledRedis" .root) }}{{ include "baari.name" .root }}-redis
{{- else }}{{ include "baari.name" .root }}-redis-{{ .name | default "password" }}
{{- end }}
{{- end }}

{{/* dict root, name, service */}}
{{- define "baari.databaseSecret" -}}
{{- with .root.Values.secrets.existingDatabases }}{{ printf . $.name }}{{ else }}{{ include "baari.name" .root }}-{{ .name }}-database{{ end }}
{{- end }}

{{/* The Secret with the key pair of a service, or of the operator: dict root, name. */}}
{{- define "baari.keySecret" -}}
{{- with .root.Values.secrets.existingKeys }}{{ printf . $.name }}{{ else }}{{ include "baari.name" .root }}-{{ .name }}-key{{ end }}
{{- end }}

{{/* The key that a program signs tokens with, and the secret of releases before 0.2: dict root, name. */}}
{{- define "baari.keyEnv" -}}
{{ include "baari.secretEnv" (dict "name" "SERVICE_KEY" "secret" (include "baari.keySecret" .)) }}
{{ include "baari.secretEnv" (dict "name" "SERVICE_SECRET" "secret" (include "baari.secretsName" .root) "optional" true) }}
{{- end }}

{{/* The public keys of all. */}}
{{- define "baari.publicKeysEnv" -}}
{{- $entries := list }}
{{- range $name := append (keys .Values.services | sortAlpha) "operator" }}
{{- $upstream := include "baari.upstream" (dict "name" $name "service" (get $.Values.services $name | default dict)) }}
{{- $variable := printf "PUBLIC_KEY_%s" (upper $upstream) }}
{{- $entries = append $entries (printf "%s=$(%s)" $upstream $variable) }}
- name: {{ $variable }}
  valueFrom: {secretKeyRef: {name: {{ include "baari.keySecret" (dict "root" $ "name" $name) }}, key: PUBLIC_KEY}}
{{- end }}
- {name: SERVICE_PUBLIC_KEYS, value: "{{ join "," $entries }}"}
{{- end }}

{{/* Where roles and databases are made by the administrator of a server: the name of its Secret, else nothing. */}}
{{- define "baari.adminSecret" -}}
{{- if not .Values.secrets.existingDatabases }}{{ include "baari.name" . }}-postgres{{ if .Values.postgres.url }}-address{{ end }}{{ end }}
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

{{/* The address of a service's database with one of its roles: dict root, name, service, variable, role (app or owner). */}}
{{- define "baari.databaseEnv" -}}
{{- $secret := include "baari.databaseSecret" . }}
{{- if .root.Values.secrets.existingDatabases }}
{{- include "baari.secretEnv" (dict "name" .variable "secret" $secret) }}
{{- else }}
{{- $database := printf "baari_%s" (include "baari.upstream" .) }}
{{- $password := printf "%s_PASSWORD" (upper .role) }}
{{- $server := urlParse (.root.Values.postgres.url | default (printf "postgres://%s-postgres:5432?sslmode=disable" (include "baari.name" .root))) }}
{{- include "baari.secretEnv" (dict "name" $password "secret" $secret) }}
- name: {{ .variable }}
  value: "postgres://{{ $database }}_{{ .role }}:$({{ $password }})@{{ $server.host }}/{{ $database }}?{{ $server.query }}"
{{- end }}
{{- end }}

{{/* The address of Redis with the account of a service: dict root, name, service. */}}
{{- define "baari.redisEnv" -}}
{{- $account := include "baari.upstream" . }}
{{- $secret := include "baari.redisSecret" (dict "root" .root "name" $account) }}
{{- if include "baari.bundledRedis" .root }}
{{- include "baari.secretEnv" (dict "name" "REDIS_PASSWORD" "secret" $secret) }}
- {name: REDIS_URL, value: "redis://{{ $account }}:$(REDIS_PASSWORD)@{{ include "baari.name" .root }}-redis:6379/0"}
{{- else }}
{{- include "baari.secretEnv" (dict "name" "REDIS_URL" "secret" $secret) }}
{{- end }}
{{- end }}

{{/* The container that brings a service's database up to date, in a pod of the service or of the hook: dict root, name, service. */}}
{{- define "baari.migration" -}}
- name: migrate-{{ .name }}
  image: {{ include "baari.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [migrate, --target={{ include "baari.upstream" . }}]
  env:
    - {name: LOG_LEVEL, value: {{ .root.Values.logLevel | quote }}}
    {{- with include "baari.caEnv" .root }}
    {{- . | trim | nindent 4 }}
    {{- end }}
    {{- include "baari.databaseEnv" (merge (dict "variable" "DATABASE_URL" "role" "app") .) | nindent 4 }}
    {{- include "baari.databaseEnv" (merge (dict "variable" "MIGRATE_DATABASE_URL" "role" "owner") .) | nindent 4 }}
    {{- with include "baari.adminSecret" .root }}
    {{- include "baari.secretEnv" (dict "name" "ADMIN_DATABASE_URL" "secret" .) | nindent 4 }}
    {{- end }}
  {{- include "baari.containerSecurity" . | nindent 2 }}
  {{- with include "baari.caMount" .root }}
  volumeMounts: {{- . | trim | nindent 4 }}
  {{- end }}
  resources:
    requests: {cpu: 10m, memory: 32Mi}
    limits: {memory: 128Mi}
{{- end }}
