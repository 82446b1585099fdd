import type {InputBlock, InputBlockElement} from '@slack/types';

/** A field of a form about a team, by the name under which Slack sends it back. */
export function input(
  field: string,
  label: string,
  element: InputBlockElement,
  {optional = false, hint}: {optional?: boolean; hint?: string | undefined} = {},
): InputBlock {
  return {
    type: 'input',
    block_id: field,
    optional,
    label: {type: 'plain_text', text: label},
    element,
    ...(hint !== undefined && {hint: {type: 'plain_text', text: hint}}),
  };
}
