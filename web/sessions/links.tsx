import {useQuery} from '@tanstack/react-query';
import {type FormEvent, useState} from 'react';
import {meQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {texts} from '../texts/texts.ts';

export function Links() {
  const {links} = texts.sessions;
  const {data: me} = useQuery(meQuery);
  const [member, setMember, forgetMember] = useDraft('link:member', '');
  const [made, setMade] = useState<Schema<'CreatedSignInLink'>>();
  const [isCopied, setCopied] = useState(false);
  const make = useAction(async (holder: string | undefined) => {
    setMade(undefined);
    setCopied(false);
    setMade(await send('post', '/v1/sign-in-links', {body: {...(holder !== undefined && {member: holder})}}));
    if (holder !== undefined) forgetMember();
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (member.trim() !== '') void make.run(member.trim());
  };
  const copy = async (url: string): Promise<void> => {
    await navigator.clipboard.writeText(url);
    setCopied(true);
  };
  const makesForOthers = me !== undefined && managesWorkspace(me);
  return (
    <section className="mb-8 flex flex-col items-start gap-2">
      <h2>{links.title}</h2>
      <p className="text-xs text-quiet">{links.text}</p>
      <Button icon="device" onPress={() => void make.run(undefined)} isPending={make.isPending}>
        {links.own}
      </Button>
      {makesForOthers && (
        <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
          <label className="flex w-full max-w-80 flex-col gap-1 text-sm font-medium">
            {links.member}
            <input
              className="min-h-row w-full rounded-md border border-edge bg-card px-2 py-1 text-base font-normal"
              name="member"
              required
              maxLength={320}
              autoComplete="off"
              aria-describedby="member-hint"
              value={member}
              onChange={({target}) => setMember(target.value)}
            />
          </label>
          <Button type="submit" isPending={make.isPending}>
            {links.make}
          </Button>
          <p id="member-hint" className="basis-full text-xs text-quiet">
            {links.memberHint}
          </p>
        </form>
      )}
      {make.problem !== undefined && <ProblemNote problem={make.problem} />}
      {made !== undefined && (
        <div
          className="flex max-w-full flex-col items-start gap-2 rounded-lg border border-line bg-card p-4"
          role="status"
        >
          <p>{links.for({name: made.holder.name ?? made.holder.id})}</p>
          <code className="font-mono text-xs/5 wrap-anywhere">{made.url}</code>
          <Button icon="copy" size="small" onPress={() => void copy(made.url)}>
            {isCopied ? links.copied : links.copy}
          </Button>
        </div>
      )}
    </section>
  );
}
