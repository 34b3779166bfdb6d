import { accessLog } from './sources/accessLog.ts';
import { curl } from './sources/curl.ts';
import { har } from './sources/har.ts';
import { httpFile } from './sources/httpFile.ts';
import { jsonLines } from './sources/jsonLines.ts';
import { openApiFile } from './sources/openApiFile.ts';
import { otlpSpans } from './sources/otlpSpans.ts';
import { postman } from './sources/postman.ts';
import type { TrafficSource } from './trafficSource.ts';

/** Every form in which traffic is read. Those with the most distinctive beginning come first. */
export const trafficSources: readonly TrafficSource[] = [har, postman, otlpSpans, openApiFile, accessLog, jsonLines, curl, httpFile];
