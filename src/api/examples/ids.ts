import {type IdKind, idPrefixes} from '../../domain/core/ids.js';

const ofEachKind = Object.fromEntries(
  Object.entries(idPrefixes).map(([kind, prefix]) => [kind, `${prefix}_01ke6p4ym07fk9s1s2m8xq4vbt`]),
) as Readonly<Record<IdKind, string>>;

/** The ids in the examples. They are valid but name nothing: a test replaces them by real ones. */
export const exampleIds = {
  ...ofEachKind,
  workspace: 'ws_01ke6p4ym07fk9s1s2m8xq4vbt',
  team: 'team_01ke6p5c2r7ab8yq0c9v5n3mzd',
  member: 'mem_01ke6p63x47d1rj6w2t8h9kq5e',
  team_member: 'tmb_01ke6p6a1c7y3w8b5f0q2d9nxj',
  service_account: 'svc_01ke6p6qg87vm3b5e0y4z1nswa',
  standup: 'std_01m83t4cm07n5a9d8k2jx6r3hq',
  standup_revision: 'rev_01m83t4cm07n5a9d8k00000001',
  run: 'run_01m83sw8007b4m6t1e9x2zq5fc',
  holiday_calendar: 'cal_01ke6q0z9g7m2t5x8c4b1w6hfd',
  absence: 'abs_01m80qx4tt7f4r9c1w6k3h8zje',
  blocker: 'blk_01m83t4cm07r3c8x5v1y6k0wze',
  comment: 'cmt_01m83tc2z07h8k2m5p7r9t1w3y',
  reaction: 'rct_01m83t4cm07w6y2n4f8s0d5gtb',
  event: 'evt_01m83t4cm07n5a9d8k0000002a',
  webhook: 'whk_01kfb2t9v07x8s4g5q1w6mjy3c',
  delivery: 'dlv_01m83t4cm07q2h6e4r0000002a',
  attempt: 'att_01m83t4hty7q2h60020000002a',
  replay: 'rpl_01m8459am07c4j9s6w3x1f8nrq',
  erasure: 'era_01m83w0q8g7d2k6r4t9v1x5bhz',
  token: 'tok_01ke6p7hn47s9c2x4r8a6bvd0m',
  parent_token: 'tok_01ke6p5xk07b3d6g8j1m4q7t0w',
  inviteLink: 'ws_01ke6p4ym07fk9s1s2m8xq4vbt.1s2m8xq4vbt7s9c2.Zm9yLWdyYWNlLWFuZC1mb3Itbm9ib2R5LWVsc2UtZXY',
  ticket: 'kq3J9v0Xc2nW7b1RzTfY5uLhP8sDaGmEo4iKxVtN6wQ',
  credentialId: 'rT4mZ0yXq2vWc8LbNfKsPd7hGjE1uAoI3xYtQwVnM5U',
  clientData: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  attestation: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjE',
  trouble: 'C024BE91L',
  user_code: 'WDJB-MJHT',
  request: 'req_01m83t4cp97e3k5w7z0y2f4gtb',
} as const;

/** The description and example of each path parameter, mostly an id of a resource. */
export const pathParameters: Readonly<Record<string, {description: string; example: string}>> = {
  ...Object.fromEntries(
    Object.keys(idPrefixes).map((kind) => [
      kind,
      {description: `Id of the ${kind.replaceAll('_', ' ')}.`, example: exampleIds[kind as IdKind]},
    ]),
  ),
  team: {description: 'Id or slug of the team. Case is ignored.', example: 'platform'},
  mail: {description: 'Id of the mail, or its `Message-ID`.', example: exampleIds.mail},
  token: {description: 'Id of the access token.', example: exampleIds.token},
  trouble: {description: 'Id of the trouble: the id of the channel.', example: exampleIds.trouble},
  user_code: {
    description: 'The code that the program shows. Case, spaces and hyphens are ignored.',
    example: exampleIds.user_code,
  },
  monday: {description: 'The Monday of the week, as YYYY-MM-DD.', example: '2025-12-01'},
  date: {description: 'Date of the run, or of the day to show, as YYYY-MM-DD.', example: '2025-12-01'},
};
