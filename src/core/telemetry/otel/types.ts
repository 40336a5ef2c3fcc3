/** What the operator has set. Undefined addresses: nothing of the kind is sent. */
export interface ExportSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly tracesUrl: string | undefined;
  readonly metricsUrl: string | undefined;
  readonly headers: string | undefined;
  readonly serviceName: string;
  readonly resourceAttributes: string | undefined;
  readonly sampler: string;
  readonly samplerArg: number;
  readonly metricIntervalMs: number;
}
