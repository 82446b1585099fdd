import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense} from 'react';
import type {Schema, SlackConnection} from '../api/schema.ts';
import {Card} from '../parts/card.tsx';
import {Icon} from '../parts/icon.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {Stamp} from '../parts/stamp.tsx';
import {texts} from '../texts/texts.ts';
import {Channels} from './channels.tsx';
import {Note} from './note.tsx';
import {slackQuery} from './queries.ts';
import {Troubles} from './troubles.tsx';

const Disconnect = lazy(async () => ({default: (await import('./disconnect.tsx')).Disconnect}));

export function Slack({me}: {readonly me: Schema<'Me'>}) {
  const {data, error, refetch} = useQuery(slackQuery);
  const {slack: t} = texts.workspace;
  return (
    <Card labelledBy="workspace-slack">
      <h2 id="workspace-slack">{t.title}</h2>
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={3} />
        ) : (
          <ProblemNote onRetry={refetch} problem={error} />
        )
      ) : (
        <div className="grid gap-3">
          <Connection slack={data} />
          {data.mode !== null && <Channels slack={data} />}
          {data.mode !== null && <Troubles />}
          {data.connected && data.mode === 'oauth' && managesWorkspace(me) && (
            <Suspense>
              <Disconnect name={data.slack_workspace?.name ?? me.workspace.name} />
            </Suspense>
          )}
        </div>
      )}
    </Card>
  );
}

function Connection({slack}: {readonly slack: SlackConnection}) {
  const {slack: t} = texts.workspace;
  const {connected, mode, transport, slack_workspace: there, connected_at: at, connected_by: by} = slack;
  if (mode === null) {
    return (
      <div>
        <p>
          <strong>{t.notSetUp}</strong>
        </p>
        <p className="text-xs text-quiet">{t.notSetUpText}</p>
      </div>
    );
  }
  const way = t.ways[mode === 'oauth' ? 'oauth' : 'token'];
  return (
    <div className="grid gap-3">
      <div>
        <p
          className="flex items-center gap-1.5 text-missed data-on:text-posted"
          data-on={connected || undefined}
        >
          <Icon name={connected ? 'check' : 'cross'} size={16} />
          <strong className="text-ink" dir="auto">
            {!connected ? t.notConnected : there === null ? t.connected : t.connectedTo({name: there.name})}
          </strong>
        </p>
        <p className="text-xs text-quiet">
          {at !== null && (
            <>
              {t.since} <Stamp instant={at} relative />
              {by !== null && <bdi> {t.by({name: by.name})}</bdi>}
              {' · '}
            </>
          )}
          {way}
          {transport !== null && ` · ${t.transports[transport === 'socket' ? 'socket' : 'http']}`}
          {slack.bot_name !== null && ` · ${t.bot({name: slack.bot_name})}`}
        </p>
      </div>
      {slack.problem !== null && (
        <Note isDanger={slack.problem !== 'no_answer'}>
          {slack.problem === 'no_answer' ? t.noAnswer : t.refused({code: slack.problem})}
          {!connected && mode === 'token' && ` ${t.renewToken}`}
        </Note>
      )}
      <MissingScopes slack={slack} />
      {!connected && !(mode === 'token' && slack.problem !== null) && (
        <Note>{mode === 'token' ? t.wrongWorkspace : there === null ? t.first : t.comeBack}</Note>
      )}
      {slack.install_url !== null && (
        <p>
          <a href={slack.install_url} rel="noreferrer" target="_blank">
            {connected || there !== null ? t.again : t.install}
          </a>
        </p>
      )}
    </div>
  );
}

function MissingScopes({slack}: {readonly slack: SlackConnection}) {
  const {slack: t} = texts.workspace;
  const {missing_scopes: needed, missing_optional_scopes: optional, mode} = slack;
  return (
    <>
      {needed.length > 0 && (
        <Note isDanger>
          <p>
            {t.missing} <Scopes names={needed} />
          </p>
          {mode === 'token' && <p>{t.byToken}</p>}
        </Note>
      )}
      {optional.length > 0 && (
        <Note>
          <p>
            {t.missingOptional} <Scopes names={optional} />
          </p>
          <p className="text-xs text-quiet">{t.missingOptionalText}</p>
        </Note>
      )}
    </>
  );
}

function Scopes({names}: {readonly names: readonly string[]}) {
  return names.map((name, i) => (
    <span key={name}>
      {i > 0 && ', '}
      <code>{name}</code>
    </span>
  ));
}
