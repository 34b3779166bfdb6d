import type { Form } from '../protocol/panel.ts';
import { allFlags } from '../domain/runFlags.ts';
import { optionFields } from './runOptionText.ts';

/** A form in which nothing is asked for but the defaults. */
export const emptyForm: Form = {
  targets: [],
  values: {},
  connections: '',
  ...optionFields({}),
  load: 'steady',
  route: '',
  record: false,
  budget: '',
  slo: '',
  ...allFlags({}),
  totalConnections: '',
  raw: false,
  rawShare: '1',
  bouncer: 'none',
  proxy: 'none',
  upstreamKeepAlive: true,
  staticFiles: false,
  k6: '',
  cpuShare: '',
};
