import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useMemo, useState} from 'react';
import {guessTeam, listSourceTeams, type MappedFile} from '../../packages/import-files/src/map-rows.js';
import {rowLimits} from '../../packages/import-files/src/rows.js';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Select} from '../parts/select.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {listZones} from '../parts/zones.ts';
import {texts} from '../texts/texts.ts';
import {isSource} from './columns.ts';
import {FileErrors} from './file-errors.tsx';
import {showFileText} from './file-text.ts';
import {type FileAuthor, foldEmail, listAuthors, type PersonChoice, toImportPeople} from './people.ts';
import {everyMemberQuery, everyTeamQuery, type KnownMembers} from './queries.ts';
import {startRun} from './run.ts';
import {changeSettings, type ImportSetup, importSetup, keepSettings} from './setup.ts';
import {SourceField} from './source-field.tsx';
import {Step} from './step.tsx';
import {assignTeams} from './teams.ts';

const MemberField = lazy(async () => ({default: (await import('./member-field.tsx')).MemberField}));

type Team = Schema<'Team'>;

interface StepProps {
  readonly setup: ImportSetup;
  readonly mapped: MappedFile;
}

export function PeopleStep(props: StepProps) {
  const teams = useQuery(everyTeamQuery);
  const members = useQuery(everyMemberQuery);
  const error = teams.error ?? members.error;
  if (teams.data !== undefined && members.data !== undefined)
    return <MapPeople {...props} members={members.data} teams={teams.data} />;
  if (error === null) return <Skeleton height={240} />;
  const retry = () => Promise.all([teams.refetch(), members.refetch()]);
  return <ProblemNote onRetry={retry} problem={error} />;
}

/** A column that is no team may have thousands of values. */
const shownAtOnce = 30;

/** The value of *Leave out*, which no team and no member has as its name. */
const out = '*';

function MapPeople({
  setup,
  mapped,
  teams,
  members,
}: StepProps & {readonly teams: readonly Team[]; readonly members: KnownMembers}) {
  const {people: t} = texts.imports;
  const {file, settings} = setup;
  const {rows} = mapped;
  const [mostTeams, setMostTeams] = useState(shownAtOnce);
  const sourceTeams = useMemo(() => listSourceTeams(rows.map(({row}) => row)), [rows]);
  const authors = useMemo(() => listAuthors(rows.map(({row}) => row)), [rows]);
  const slugs = new Map(
    sourceTeams.map(({name}) => [
      name,
      // A team of the file may have the name of anything that objects inherit.
      Object.hasOwn(settings.teams, name)
        ? (settings.teams[name] ?? null)
        : ((teams.find(({id}) => id === name) ?? guessTeam(name, teams))?.slug ?? null),
    ]),
  );
  const people = toImportPeople(authors, settings.people);
  const isTooMany = people.length > rowLimits.people;
  const isReady = !isTooMany && isSource(settings.source);
  const hasTeam = [...slugs.values()].some((team) => team !== null);
  const needsZone = rows.some(({row}) => row.date === undefined && row.timezone === undefined);
  const timezone = needsZone ? settings.timezone : null;

  const check = (): void => {
    if (!isReady || !hasTeam) return;
    keepSettings(setup);
    const zones = new Map(teams.map(({slug, timezone: zone}) => [slug, zone]));
    startRun({
      source: settings.source,
      timezone,
      people,
      isDry: true,
      ...assignTeams(rows, slugs),
      zoneOf: ({team}) => timezone ?? zones.get(team) ?? 'UTC',
    });
  };

  return (
    <Step title={t.title}>
      <Form onSubmit={check}>
        <FileErrors mapped={mapped} />
        <section aria-labelledby="import-teams" className="grid gap-3">
          <h3 className="font-bold" id="import-teams">
            {t.teams}
          </h3>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] items-start gap-x-4 gap-y-3">
            {sourceTeams.slice(0, mostTeams).map(({name, rows: count}) => (
              <Select
                hint={t.rows({count})}
                key={name}
                label={t.team({name: showFileText(name)})}
                onChange={(slug) =>
                  changeSettings({teams: {...settings.teams, [name]: slug === out ? null : slug}})
                }
                options={[
                  {id: out, label: t.leaveOut},
                  ...teams.map(({slug, name: label}) => ({id: slug, label})),
                ]}
                value={slugs.get(name) ?? out}
              />
            ))}
          </div>
          {sourceTeams.length > mostTeams && (
            <div>
              <Button onPress={() => setMostTeams(mostTeams + shownAtOnce)} size="small">
                {t.moreTeams}
              </Button>
            </div>
          )}
        </section>
        {'rows' in file && (
          <div className="max-w-120">
            <SourceField source={settings.source} />
          </div>
        )}
        {needsZone && (
          <div className="max-w-120">
            <Select
              hint={t.zoneHint}
              label={t.zone}
              onChange={(zone) => changeSettings({timezone: zone === out ? null : zone})}
              options={[{id: out, label: t.teamZone}, ...listZones(settings.timezone)]}
              value={settings.timezone ?? out}
            />
          </div>
        )}
        <People authors={authors} members={members} setup={setup} />
        {isTooMany && <p role="alert">{t.tooMany({most: rowLimits.people})}</p>}
        {!hasTeam && <p role="status">{t.noneLeft}</p>}
        <div className="flex flex-wrap gap-3">
          <Button isDisabled={!isReady || !hasTeam} kind="first" type="submit">
            {t.check}
          </Button>
          {'table' in file && (
            <Button onPress={() => importSetup.set({...setup, mapped: undefined})}>{t.columns}</Button>
          )}
          <Button onPress={() => importSetup.set(undefined)}>{texts.imports.file.other}</Button>
        </div>
      </Form>
    </Step>
  );
}

function People({
  authors,
  members,
  setup: {settings},
}: {
  readonly authors: readonly FileAuthor[];
  readonly members: KnownMembers;
  readonly setup: ImportSetup;
}) {
  const {people: t} = texts.imports;
  const [most, setMost] = useState(shownAtOnce);
  const choose = (key: string, choice: PersonChoice | undefined): void => {
    const {[key]: _, ...others} = settings.people;
    changeSettings({people: choice === undefined ? others : {...others, [key]: choice}});
  };
  return (
    <section aria-labelledby="import-people" className="grid gap-3">
      <h3 className="font-bold" id="import-people">
        {t.people}
      </h3>
      <p className="text-pretty">{t.text}</p>
      <ul className="grid gap-3">
        {authors.slice(0, most).map((author) => (
          <li
            className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] items-start gap-x-4 gap-y-2"
            key={author.key}
          >
            <PersonFields
              author={author}
              choice={settings.people[author.key]}
              members={members}
              onChoose={(choice) => choose(author.key, choice)}
            />
          </li>
        ))}
      </ul>
      {authors.length > most && (
        <div>
          <Button onPress={() => setMost(most + shownAtOnce)} size="small">
            {t.more}
          </Button>
        </div>
      )}
    </section>
  );
}

type PersonKind = 'auto' | 'former' | 'member' | typeof out;

function PersonFields({
  author: {name, email, rows},
  choice,
  members,
  onChoose,
}: {
  readonly author: FileAuthor;
  readonly choice: PersonChoice | undefined;
  readonly members: KnownMembers;
  /** Undefined: the service decides. */
  readonly onChoose: (choice: PersonChoice | undefined) => void;
}) {
  const {people: t} = texts.imports;
  const [asksMember, setAsksMember] = useState(false);
  const found = email === undefined ? undefined : members.byEmail.get(foldEmail(email));
  const kind = findKind(choice, asksMember, email !== undefined);
  const known = members.names.get(found ?? '');
  const change = (next: PersonKind): void => {
    setAsksMember(next === 'member');
    if (next === out) onChoose(null);
    // Without an address, the service makes a former member.
    else if (next === 'former' && email !== undefined) onChoose('former');
    else onChoose(undefined);
  };
  return (
    <>
      <Select
        hint={[email, t.rows({count: rows})].filter((text) => text !== undefined).join(' · ')}
        label={t.person({name: showFileText(name)})}
        onChange={change}
        options={[
          ...(email === undefined
            ? []
            : [
                {
                  id: 'auto' as const,
                  label: known === undefined ? t.byEmailUnknown : t.byEmail({name: known}),
                },
              ]),
          {id: 'former', label: t.former},
          {id: 'member', label: t.member},
          {id: out, label: t.leaveOut},
        ]}
        value={kind}
      />
      {kind === 'member' && (
        <Suspense fallback={<Skeleton height={60} />}>
          <MemberField
            label={t.which({name: showFileText(name)})}
            member={choice ?? null}
            members={members}
            onChoose={(member) => onChoose(member ?? undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

function findKind(choice: PersonChoice | undefined, asksMember: boolean, hasEmail: boolean): PersonKind {
  if (choice === null) return out;
  if (choice === 'former') return 'former';
  if (choice !== undefined || asksMember) return 'member';
  return hasEmail ? 'auto' : 'former';
}
