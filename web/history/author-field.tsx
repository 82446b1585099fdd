import {words} from '../words/words.ts';

export function AuthorField({author, onChange}: {readonly author: string; readonly onChange: (author: string) => void}) {
  const {anyAuthor, author: label, me} = words.history.filters;
  return (
    <label>
      {label}
      <select onChange={({target}) => onChange(target.value)} value={author}>
        <option value="">{anyAuthor}</option>
        <option value="me">{me}</option>
      </select>
    </label>
  );
}
