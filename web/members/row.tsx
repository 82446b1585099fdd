import {Link} from '@tanstack/react-router';
import {lazy, Suspense, useState} from 'react';
import type {ListedMember, Schema} from '../api/schema.ts';
import {Badge} from '../parts/badge.tsx';
import {Button} from '../parts/button.tsx';
import {EmailAddress} from '../parts/email-address.tsx';
import {DownloadStatus} from '../parts/download-status.tsx';
import {useDownload} from '../parts/download.ts';
import {hasFeature} from '../parts/features.ts';
import {buildMemberExport} from '../parts/member-export.ts';
import {MenuButton} from '../parts/menu-button.tsx';
import type {MenuEntry} from '../parts/menu-entry.ts';
import {PersonName} from '../parts/person-name.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {Stamp} from '../parts/stamp.tsx';
import {useNow} from '../parts/use-now.ts';
import {formatTime, formatZone} from '../texts/format.ts';
import {hasSlack} from '../parts/has-slack.ts';
import {texts} from '../texts/texts.ts';
import {mayManageRole} from './rights.ts';
import {roles} from './search.ts';

const MemberForm = lazy(async () => ({default: (await import('./member-form.tsx')).MemberForm}));
const LinkDialog = lazy(async () => ({default: (await import('./link-dialog.tsx')).LinkDialog}));
const LeaveDialog = lazy(async () => ({default: (await import('./leave-dialog.tsx')).LeaveDialog}));

type MemberDialog = 'change' | 'link' | 'remove' | 'erase';

interface MemberRowProps {
  readonly member: ListedMember;
  readonly me: Schema<'Me'>;
  readonly lastSeen: string | undefined;
}

export function MemberRow({member, me, lastSeen}: MemberRowProps) {
  const t = texts.members;
  const {id, name, email, role, slack_user_id: slack, teams} = member;
  const [opened, setOpened] = useState<MemberDialog>();
  const {state, run, cancel} = useDownload();
  const isMe = id === me.principal.id;
  const close = (): void => setOpened(undefined);
  const download = (): void => void run(buildMemberExport(id));
  const isManaged = mayManageRole(me, role);
  const open = (what: MemberDialog) => () => setOpened(what);
  const entries: readonly MenuEntry[] = [
    ...(isManaged
      ? [
          {id: 'change', label: t.actions.change, icon: 'write' as const, onAction: open('change')},
          ...(hasFeature('links')
            ? [{id: 'link', label: t.actions.link, icon: 'link' as const, onAction: open('link')}]
            : []),
        ]
      : []),
    {id: 'export', label: t.actions.export, icon: 'download', onAction: download},
    ...(isManaged
      ? ([
          'line',
          {id: 'remove', label: t.actions.remove, kind: 'danger', onAction: open('remove')},
          {id: 'erase', label: t.actions.erase, kind: 'danger', onAction: open('erase')},
        ] as const)
      : []),
  ];
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1.6fr)_44px] items-center gap-x-4 gap-y-1 px-4 py-2.5 max-md:grid-cols-[minmax(0,1fr)_44px]"
    >
      <div>
        <Link
          className="font-semibold text-inherit no-underline hover:underline"
          params={{member: id}}
          to="/people/$member"
        >
          <PersonName isYou={isMe} name={name} />
        </Link>
        <p className="ps-8 text-sm text-quiet">
          {email === null ? t.noEmail : <EmailAddress member={member} />}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 max-md:col-span-full max-md:ps-8">
        {role !== 'member' && <Badge>{t.roles[roles.find((one) => one === role) ?? 'member']}</Badge>}
        {teams?.data.map(({id: team, slug, name: called}) => (
          <Link className="inline-flex min-h-6 items-center" key={team} params={{team: slug}} to="/t/$team">
            {called}
          </Link>
        ))}
        {teams?.has_more === true && (
          <Link className="text-sm text-quiet" params={{member: id}} to="/people/$member">
            {t.moreTeams}
          </Link>
        )}
        {teams?.data.length === 0 && <span className="text-sm text-quiet">{t.noTeam}</span>}
      </div>
      <div className="max-md:col-span-full max-md:ps-8">
        <p>
          <MemberClock zone={member.timezone} />
        </p>
        <p className="text-sm text-quiet">
          {slack !== null ? t.slack : hasSlack() && t.noSlack}
          {lastSeen !== undefined && (
            <>
              {(slack !== null || hasSlack()) && ' · '}
              {t.seen} <Stamp instant={lastSeen} relative />
            </>
          )}
        </p>
      </div>
      {(managesWorkspace(me) || isMe) && (
        <div className="col-4 flex justify-self-end max-md:col-2 max-md:row-1">
          <MenuButton items={entries} label={t.actions.label({name})} size="small" />
        </div>
      )}
      {state.kind !== 'idle' && (
        <div className="col-span-full flex flex-wrap items-center gap-3">
          <DownloadStatus onRetry={download} state={state} />
          {state.kind === 'running' && (
            <Button onPress={cancel} size="small">
              {texts.history.export.cancel}
            </Button>
          )}
        </div>
      )}
      <Suspense>
        {opened === 'change' && <MemberForm me={me} member={member} onClose={close} />}
        {opened === 'link' && <LinkDialog member={member} onClose={close} />}
        {(opened === 'remove' || opened === 'erase') && (
          <LeaveDialog how={opened} member={member} onClose={close} />
        )}
      </Suspense>
    </li>
  );
}

function MemberClock({zone}: {readonly zone: string | null}) {
  const now = useNow(20_000);
  if (zone === null) return texts.members.teamZone;
  return `${formatTime(now, zone)} · ${formatZone(zone, now)}`;
}
