{{/*
A component that may have replicas: Deployment, Service, ServiceAccount, and the rest as asked for.
dict root, name, config (the component's values), pod (its init containers, containers and volumes), ports (of the Service).
*/}}
{{- define "baari.workload" -}}
{{- $v := .root.Values }}
{{- $c := mergeOverwrite (deepCopy $v.defaults) (deepCopy (.config | default dict)) }}
{{- if gt (int $c.autoscaling.min) (int $c.autoscaling.max) }}
{{- fail (printf "%s: autoscaling.min %v is more than autoscaling.max %v" .name $c.autoscaling.min $c.autoscaling.max) }}
{{- end }}
{{- $least := or $c.autoscaling.enabled $c.autoscaling.external | ternary $c.autoscaling.min $c.replicas | int }}
apiVersion: v1
kind: ServiceAccount
metadata: {{- include "baari.metadata" . | nindent 2 }}
automountServiceAccountToken: false
---
apiVersion: v1
kind: Service
metadata: {{- include "baari.metadata" . | nindent 2 }}
spec: {{- .service | nindent 2 }}
  selector: {{- include "baari.selector" . | nindent 4 }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "baari.metadata" . | nindent 2 }}
spec:
  {{- if not (or $c.autoscaling.enabled $c.autoscaling.external) }}
  replicas: {{ $c.replicas }}
  {{- end }}
  minReadySeconds: {{ $v.lifecycle.minReadySeconds }}
  revisionHistoryLimit: 3
  strategy:
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  selector:
    matchLabels: {{- include "baari.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "baari.labels" . | nindent 8 }}
      {{- with merge (include "baari.officeChecksum" .root | fromYaml) $c.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "baari.name" .root }}-{{ .name }}
      {{- include "baari.podSecurity" (dict "user" 65532) | nindent 6 }}
      {{- include "baari.pullSecrets" .root | nindent 6 }}
      terminationGracePeriodSeconds: {{ $v.lifecycle.gracePeriod }}
      {{- if $v.topologySpread.enabled }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: {{ $v.topologySpread.topologyKey }}
          whenUnsatisfiable: {{ $v.topologySpread.whenUnsatisfiable }}
          labelSelector:
            matchLabels: {{- include "baari.selector" . | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
      {{- end }}
      {{- with $c.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $c.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $c.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $c.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- .pod | nindent 6 }}
{{- if gt $least 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "baari.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "baari.selector" . | nindent 6 }}
{{- end }}
{{- if and $c.autoscaling.enabled (not $c.autoscaling.external) }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{- include "baari.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ include "baari.name" .root }}-{{ .name }}}
  minReplicas: {{ $c.autoscaling.min }}
  maxReplicas: {{ $c.autoscaling.max }}
  metrics:
    {{- with $c.autoscaling.cpu }}
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ . }}}}
    {{- end }}
    {{- with $c.autoscaling.memory }}
    - type: Resource
      resource: {name: memory, target: {type: Utilization, averageUtilization: {{ . }}}}
    {{- end }}
    {{- with $c.autoscaling.metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $c.autoscaling.behavior }}
  behavior: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* What a container has besides its image and its own variables: dict root, config. */}}
{{- define "baari.containerRest" -}}
{{- $c := mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (.config | default dict)) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{ include "baari.containerSecurity" . }}
{{ include "baari.probes" . }}
lifecycle:
  preStop:
    sleep: {seconds: {{ .root.Values.lifecycle.preStopSleep }}}
{{- with $c.envFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
resources: {{- toYaml $c.resources | nindent 2 }}
{{- end }}
