import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {meQuery} from '../api/queries.ts';
import {ComboBox} from '../parts/combo-box.tsx';
import {Initials} from '../parts/initials.tsx';
import {mayUse} from '../parts/rights.ts';
import {findMembersQuery} from '../parts/search-queries.ts';
import {texts} from '../texts/texts.ts';
import {useAuthorName} from './author-name.ts';

interface AuthorFieldProps {
  /** Id of the author, or `me`; empty for all authors. */
  readonly author: string;
  readonly onChange: (author: string) => void;
}

/** Field that finds people by the beginnings of their names; the viewer comes first. */
export function AuthorField({author, onChange}: AuthorFieldProps) {
  const me = useQuery(meQuery).data;
  const name = useAuthorName(author);
  const [typed, setTyped] = useState('');
  const {anyAuthor, author: label, me: ownLabel, onlyMe} = texts.history.filters;
  const mayList = mayUse(me, 'members:read');
  const q = typed === name ? '' : typed.trim().slice(0, 100);
  const {data, isFetching} = useQuery({...findMembersQuery(q, 50), enabled: mayList});
  const own = me?.principal.id;
  const isMe = author === 'me' || author === own;
  const value = isMe ? 'me' : author;
  const others = (data?.data ?? [])
    .filter(({id}) => id !== own)
    .map((member) => ({id: member.id, label: member.name, mark: <Initials name={member.name} />}))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const isListed = author === '' || isMe || others.some(({id}) => id === author);
  const options = [
    ...(isMe || q === '' || ownLabel.toLowerCase().startsWith(q.toLowerCase())
      ? [{id: 'me', label: ownLabel, mark: <Initials name={me?.principal.name ?? ''} />}]
      : []),
    ...(isListed ? [] : [{id: author, label: name, mark: <Initials name={name} />}]),
    ...others,
  ];
  return (
    <ComboBox
      isLoading={isFetching}
      label={label}
      onChange={(id) => onChange(id ?? '')}
      onInputChange={setTyped}
      options={options}
      placeholder={anyAuthor}
      value={author === '' ? null : value}
      {...(me !== undefined && !mayList && {hint: onlyMe})}
    />
  );
}
