// The `standup` command: one file for each noun. It parses, calls one service function, and prints.
// stdout carries only what was asked for; everything else goes to stderr.
import type {Command} from 'commander';
import {table, type WithSession} from './session.js';

const advice: Readonly<Record<string, string>> = {
  always: 'nothing acknowledged is lost',
  everysec: 'a kill of Redis may lose the last second: set appendfsync always',
  none: 'a restart of Redis loses data: set appendonly yes and appendfsync always',
  unknown: 'the server does not tell: ask its operator for appendfsync always',
};

export function addDoctorCommand(program: Command, withSession: WithSession): void {
  program
    .command('doctor')
    .description('check the installation and say what to mend')
    .action(() =>
      withSession(async ({services, print, deadline, facts}) => {
        const workspaces = await services.workspaces.listWorkspaces(deadline());
        print(
          table(
            ['CHECK', 'FOUND', 'ADVICE'],
            [
              ['Redis', facts.redisVersion, 'reachable, not evicting'],
              ['Durability', facts.durability, advice[facts.durability] ?? ''],
              ['SECRET_KEY', 'fits the data', ''],
              ['Installation', facts.installation, ''],
              ['Public URL', facts.publicUrl, ''],
              ['Slack', facts.slack, ''],
              ['Webhooks', facts.webhooks, ''],
              [
                'Workspaces',
                String(workspaces.length),
                workspaces.length === 0 ? 'standup workspace create NAME' : '',
              ],
            ],
          ),
        );
      }),
    );
}
