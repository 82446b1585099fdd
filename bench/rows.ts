import type {Row} from './row.js';
import {deliveries} from './rows/deliveries.js';
import {latency} from './rows/latency.js';
import {member} from './rows/member.js';
import {neighbours} from './rows/neighbours.js';
import {newTokens} from './rows/new-tokens.js';
import {start} from './rows/start.js';
import {fsync, obvious, openLoop, post} from './rows/post.js';

/** In the order of the page. */
export const rows: Readonly<Record<string, Row>> = {
  post,
  member,
  'open-loop': openLoop,
  'new-tokens': newTokens,
  obvious,
  fsync,
  deliveries,
  latency,
  neighbours,
  start,
};

/** What `--quick` measures unless rows are named; each other row is as quick. */
export const quickRows: readonly string[] = ['post'];
