import type {BenchRow} from './row.js';
import {burst} from './rows/burst.js';
import {bytes} from './rows/bytes.js';
import {deliveries} from './rows/deliveries.js';
import {latency, sparseEvents} from './rows/latency.js';
import {list, unchanged} from './rows/list.js';
import {member} from './rows/member.js';
import {neighbours} from './rows/neighbours.js';
import {newTokens} from './rows/new-tokens.js';
import {fsync, obvious, openLoop, post} from './rows/post.js';
import {script} from './rows/script.js';
import {start} from './rows/start.js';
import {teamsOfMember} from './rows/teams.js';
import {traces} from './rows/traces.js';

/** All workloads, in the order of the results page. */
export const rows: Readonly<Record<string, BenchRow>> = {
  post,
  member,
  'open-loop': openLoop,
  'new-tokens': newTokens,
  obvious,
  fsync,
  script,
  deliveries,
  burst,
  latency,
  sparse: sparseEvents,
  neighbours,
  start,
  list,
  unchanged,
  bytes,
  teams: teamsOfMember,
  traces,
};

/** The workloads that `--quick` measures unless others are named. */
export const quickRows: readonly string[] = ['post'];
