{{/* Names, labels and images. */}}

{{- define "baari.name" -}}
{{- if contains "baari" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-baari{{ end }}
{{- end }}

{{/* What selects the pods of a component: dict root, name. */}}
{{- define "baari.selector" -}}
app.kubernetes.io/name: baari
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "baari.labels" -}}
{{ include "baari.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: baari
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/*
Labels of the pods of PostgreSQL and Redis: dict root, name. A version among them would restart the server at each upgrade.
A server that runs keeps the labels that it has, because those of 0.1.0 have a version.
*/}}
{{- define "baari.serverLabels" -}}
{{- $running := lookup "apps/v1" "StatefulSet" .root.Release.Namespace (printf "%s-%s" (include "baari.name" .root) .name) }}
{{- dig "spec" "template" "metadata" "labels" (include "baari.selector" . | fromYaml) $running | toYaml }}
{{- end }}

{{- define "baari.metadata" -}}
name: {{ include "baari.name" .root }}-{{ .name }}
labels: {{- include "baari.labels" . | nindent 2 }}
{{- include "baari.annotations" . }}
{{- end }}

{{/* Of every object: dict root, annotations (its own). Begins with a new line. */}}
{{- define "baari.annotations" }}
{{- with mergeOverwrite (deepCopy .root.Values.annotations) (.annotations | default dict) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The image, of whose program each component runs a target: what the component says in full, else the one of all. */}}
{{- define "baari.image" -}}
{{- $own := get (merge (dict "web" .root.Values.web) .root.Values.services) .name | default dict }}
{{- with $own.image }}{{ . }}{{ else }}{{ include "baari.taggedImage" $.root }}{{ end }}
{{- end }}

{{- define "baari.taggedImage" -}}
{{- $image := .Values.image }}
{{- $image.repository }}/{{ $image.name }}:{{ $image.tag | default .Chart.AppVersion }}{{ with $image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* What the routes and the variables of others call a service: dict name, service. */}}
{{- define "baari.upstream" -}}
{{ .service.upstream | default .name }}
{{- end }}

{{- define "baari.host" -}}
{{ (urlParse .Values.baseUrl).hostname }}
{{- end }}
