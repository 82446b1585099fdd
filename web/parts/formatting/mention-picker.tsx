import {useQuery} from '@tanstack/react-query';
import {useEffect, useId, useRef, useState} from 'react';
import {readRowsQuery} from '../../api/read.ts';
import {texts} from '../../texts/texts.ts';
import {Hidden} from '../hidden.tsx';
import {isInputMethodKey} from '../keys.ts';
import {PersonName} from '../person-name.tsx';
import {findMembersQuery, findTeamsQuery} from '../search-queries.ts';
import {type MentionQuery, orderSuggestions} from './mention-query.ts';

/** The number of suggestions: as many as fit below a field on a small screen. */
const most = 6;
const delay = 150;

interface MentionPickerProps {
  readonly area: HTMLTextAreaElement;
  readonly asked: MentionQuery;
  readonly team: string | undefined;
  readonly onPick: (chosen: {readonly id: string; readonly name: string}) => void;
  readonly onClose: () => void;
}

/** Suggests people and teams below a field. The focus stays in the field, whose arrow keys choose. */
export function MentionPicker({area, asked, team, onPick, onClose}: MentionPickerProps) {
  const suggestions = useSuggestions(useDelayed(asked.words), team);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, suggestions.length - 1);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const isOpen = suggestions.length > 0;

  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (isInputMethodKey(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const steps: Readonly<Record<string, number>> = {ArrowDown: 1, ArrowUp: -1};
      const step = steps[event.key];
      const one = suggestions[at];
      if (step !== undefined) setChosen((at + step + suggestions.length) % suggestions.length);
      else if ((event.key === 'Enter' || event.key === 'Tab') && one !== undefined) onPick(one);
      else if (event.key === 'Escape') onClose();
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    area.addEventListener('keydown', onKey, {capture: true});
    return () => area.removeEventListener('keydown', onKey, {capture: true});
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const names = {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': listId,
      'aria-activedescendant': `${listId}-${at}`,
    };
    for (const [name, value] of Object.entries(names)) area.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(names)) area.removeAttribute(name);
    };
  }, [area, at, isOpen, listId]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({block: 'nearest'});
  }, [at, isOpen]);

  return (
    <div className="relative">
      <Hidden>
        <span role="status">{isOpen ? texts.write.suggestions({amount: suggestions.length}) : ''}</span>
      </Hidden>
      {isOpen && (
        <div
          aria-label={texts.write.mention}
          className="absolute inset-x-0 top-1 z-10 max-h-60 overflow-y-auto rounded-lg border border-line bg-card p-1 shadow-lg"
          id={listId}
          ref={list}
          role="listbox"
        >
          {suggestions.map((one, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field receives the keys
            <div
              aria-selected={index === at}
              className="flex min-h-row min-w-0 cursor-pointer items-center gap-2 rounded-md px-2 aria-selected:bg-ink/8"
              id={`${listId}-${index}`}
              key={one.id}
              onClick={() => onPick(one)}
              // The field keeps its focus.
              onMouseDown={(event) => event.preventDefault()}
              role="option"
              tabIndex={-1}
            >
              <PersonName name={one.name} />
              {one.id.startsWith('team_') && (
                <span className="ms-auto flex-none text-xs text-quiet">{texts.write.mentionedTeam}</span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function useSuggestions(words: string, team: string | undefined) {
  const isSearch = words.trim() !== '';
  const {data: ofTeam = []} = useQuery({
    ...readRowsQuery('listTeamMembers', '/v1/teams/{team}/members', {team: team ?? '', limit: 100}),
    enabled: team !== undefined,
  });
  const {data: people} = useQuery({...findMembersQuery(words.trim(), 5), enabled: isSearch});
  const {data: teams} = useQuery({...findTeamsQuery(words.trim(), 5), enabled: isSearch});
  const others = isSearch ? [...(people?.data ?? []), ...(teams?.data ?? [])] : [];
  const members = ofTeam.map(({member}) => member);
  return orderSuggestions(words, members, others, most);
}

/** A value that follows after a pause, so that not each letter is a request. */
function useDelayed(value: string): string {
  const [held, setHeld] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setHeld(value), delay);
    return () => clearTimeout(timer);
  }, [value]);
  return held;
}
