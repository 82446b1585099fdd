import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useState} from 'react';
import {api, streamed} from '../api/client.ts';
import type {DateSpan} from '../parts/dates.ts';
import {ExportFile, type ExportFormat} from '../parts/export-file.tsx';
import {Select} from '../parts/select.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {words} from '../words/words.ts';
import styles from './exports.module.css';
import {teamsQuery} from './queries.ts';

const DateRangePicker = lazy(async () => {
  const {DateRangePicker: part} = await import('../parts/date-range-picker.tsx');
  return {default: part};
});

const kinds = ['standups', 'absences', 'participation'] as const;
type Kind = (typeof kinds)[number];

const everyTeam = '*';

/** Exports all data of one kind as a file. */
export function Exports() {
  const {exports: texts} = words.workspace;
  const [kind, setKind] = useState<Kind>('standups');
  const [team, setTeam] = useState<string>(everyTeam);
  const [isSome, setSome] = useState(false);
  const [chosen, setDays] = useState<DateSpan | null>(null);
  const days = isSome ? chosen : null;
  const {data: teams} = useQuery(teamsQuery);
  const needsTeam = kind === 'participation' && team === everyTeam;
  const known = (teams?.data ?? []).map(({slug, name}) => ({id: slug, label: name}));
  return (
    <ExportFile
      isReady={!needsTeam}
      name={kind}
      open={(format, signal) => openExport(kind, team === everyTeam ? undefined : team, days, format, signal)}
      text={needsTeam ? texts.chooseTeam : undefined}
      title={texts.title}
    >
      <div className={styles['fields']}>
        <Select
          label={texts.what}
          onChange={setKind}
          options={kinds.map((id) => ({id, label: texts.kinds[id]}))}
          value={kind}
        />
        <Select
          label={texts.team}
          onChange={setTeam}
          options={[{id: everyTeam, label: texts.everyTeam}, ...known]}
          value={team}
        />
        <Select
          label={texts.days}
          onChange={(which) => setSome(which === 'some')}
          options={[
            {id: 'all', label: kind === 'participation' ? texts.lastDays : texts.allDays},
            {id: 'some', label: texts.someDays},
          ]}
          value={isSome ? 'some' : 'all'}
        />
        {isSome && (
          <Suspense fallback={<Skeleton height={60} />}>
            <DateRangePicker label={texts.fromUntil} onChange={setDays} value={chosen} />
          </Suspense>
        )}
      </div>
    </ExportFile>
  );
}

async function openExport(
  kind: Kind,
  team: string | undefined,
  days: DateSpan | null,
  format: ExportFormat,
  signal: AbortSignal,
) {
  const which = {format, ...(team !== undefined && {team})};
  const rest = {...streamed, signal};
  if (kind === 'standups') {
    const query = {...which, ...(days !== null && {date_from: days.from, date_to: days.until})};
    return (await api.GET('/v1/export', {params: {query}, ...rest})).data;
  }
  if (kind === 'absences') {
    const query = {...which, ...days};
    return (await api.GET('/v1/export/absences', {params: {query}, ...rest})).data;
  }
  const query = {format, team: team ?? '', ...(days !== null && {since: days.from, until: days.until})};
  return (await api.GET('/v1/export/participation', {params: {query}, ...rest})).data;
}
