import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Team} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ComboBox} from '../parts/combo-box.tsx';
import {Form} from '../parts/form.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Select} from '../parts/select.tsx';
import {useAction} from '../parts/use-action.ts';
import {findMembersQuery} from '../parts/search-queries.ts';
import {texts} from '../texts/texts.ts';
import type {Membership} from './queries.ts';
import {roles, type TeamRole} from './roles.ts';

export function AddPeople({
  team,
  memberships,
  onSaid,
}: {
  readonly team: Team;
  readonly memberships: readonly Membership[];
  readonly onSaid: (sentence: string) => void;
}) {
  const t = texts.team.members;
  const [isWanted, setWanted] = useState(false);
  const [typed, setTyped] = useState('');
  const [person, setPerson] = useState<{readonly id: string; readonly name: string}>();
  const [role, setRole] = useState<TeamRole>('member');
  // A chosen person's name fills the field, so there is nothing to search for.
  const {data, isFetching} = useQuery({
    ...findMembersQuery(person === undefined ? typed.trim() : '', 20),
    enabled: isWanted,
  });
  const here = new Set(memberships.map(({member}) => member.id));
  const found = data?.data ?? [];
  const {run, isPending, problem} = useAction(async (member: {id: string; name: string}) => {
    const to = {team: team.slug, member: member.id};
    await send('put', '/v1/teams/{team}/members/{member}', {...to, body: {role}});
    setPerson(undefined);
    setTyped('');
    await invalidate('team_member');
    onSaid(t.add.added({name: member.name, role}));
  });
  return (
    <Form label={t.add.title} onSubmit={() => person !== undefined && !isPending && void run(person)}>
      <div className="grid grid-cols-[minmax(160px,320px)_minmax(140px,200px)_auto] items-start justify-start gap-3 max-md:grid-cols-1 max-md:[&>button]:justify-self-start md:[&>button]:mt-6">
        <ComboBox
          inputValue={typed}
          isLoading={isFetching}
          label={t.add.person}
          onChange={(id) => {
            const chosen = found.find((one) => one.id === id);
            setPerson(chosen);
            if (chosen !== undefined) setTyped(chosen.name);
          }}
          onInputChange={(next) => {
            setTyped(next);
            if (next !== person?.name) setPerson(undefined);
          }}
          onFocus={() => setWanted(true)}
          options={found.map(({id, name}) => ({
            id,
            label: name,
            ...(here.has(id) && {hint: t.add.isIn, isDisabled: true}),
          }))}
          placeholder={t.add.search}
          value={person?.id ?? null}
        />
        <Select
          label={t.add.as}
          onChange={setRole}
          options={roles.map((id) => ({id, label: t.roles[id], hint: t.roleHints[id]}))}
          value={role}
        />
        <Button icon="plus" isDisabled={person === undefined} isPending={isPending} type="submit">
          {t.add.add}
        </Button>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Form>
  );
}
