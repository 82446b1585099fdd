import {setTimeout as pause} from 'node:timers/promises';
import type {SlackFailure} from '../support/slack-failure-server.js';
import {until} from '../support/until.js';
import type {SlackProcess, SlackStage} from './slack-stage.js';

/** A time at which a process is killed: at a step of its own, during a call of Slack, or after a while. */
export type Death = {readonly name: string} & (
  | {readonly step: string}
  | {readonly method: string; readonly failure: SlackFailure}
  | {readonly afterMs: number}
);

/** The longest time (ms) that a process is waited for at its step, before it is killed wherever it is. */
const reachMs = 2_500;

/** Lists deaths: before and after what is named, at other steps, during calls of methods, and at any time. */
export function listDeaths({
  names,
  steps,
  methods,
}: {
  readonly names: readonly string[];
  readonly steps: readonly string[];
  readonly methods: readonly string[];
}): Death[] {
  const around = names.flatMap((name) => [`before-${name}`, `after-${name}`]);
  return [
    ...[...around, ...steps].map((step) => ({name: step, step})),
    ...methods.flatMap((method) => [
      {name: `during ${method}, not done`, method, failure: {kind: 'hang'}} as const,
      {name: `during ${method}, done`, method, failure: {kind: 'mute'}} as const,
    ]),
    ...[20, 200, 600].map((afterMs) => ({name: `after ${afterMs} ms`, afterMs})),
  ];
}

/** Resolves when the process has died, at that time if it comes to it soon. */
export async function die(stage: SlackStage, {service, slack}: SlackProcess, death: Death): Promise<void> {
  if ('step' in death) {
    const dead = service.arm({name: death.step, hit: 1, signal: 'SIGKILL'});
    await Promise.race([dead, pause(reachMs)]);
  } else if ('method' in death) {
    const before = slack.of(death.method).length;
    slack.fail(death.method, death.failure);
    const isReached = () => {
      const call = slack.of(death.method)[before];
      return call !== undefined && (death.failure.kind === 'hang' || call.reply !== undefined);
    };
    await until(isReached, {withinMs: reachMs}).catch(() => undefined);
  } else await pause(death.afterMs);
  await service.kill();
  await stage.releaseScheduler();
}
