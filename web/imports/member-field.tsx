import {useMemo} from 'react';
import {ComboBox} from '../parts/combo-box.tsx';
import type {KnownMembers} from './queries.ts';

/** Finds a member by their name. It is loaded for a person that no address finds. */
export function MemberField({
  label,
  member,
  members: {names},
  onChoose,
}: {
  readonly label: string;
  readonly member: string | null;
  readonly members: KnownMembers;
  readonly onChoose: (member: string | null) => void;
}) {
  const options = useMemo(() => [...names].map(([id, name]) => ({id, label: name})), [names]);
  return <ComboBox label={label} onChange={onChoose} options={options} value={member} />;
}
