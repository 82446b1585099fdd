import type {ChatRefusalReason} from '../../showing/chat.js';

/**
 * The meaning of an error of Slack's Web API:
 * - `token`: nothing is accepted from this app until it gets another token.
 * - `closed`: nothing is accepted in this channel or workspace until something changes there. After `token`
 *   and `closed` we try again with growing waits, and leave the channel alone meanwhile.
 * - `held`: this call may be accepted later; other calls are accepted now.
 * - `person`: Slack does not deliver to that person.
 * - `absent`: the target of the call does not exist.
 * - `final`: the call is never accepted as it is.
 * - `limited`: there were too many calls.
 * - `unknown`: the call may have been done.
 */
export type SlackErrorKind =
  | 'token'
  | 'closed'
  | 'held'
  | 'person'
  | 'absent'
  | 'final'
  | 'limited'
  | 'unknown';

/** All known error codes, by meaning. Source: https://docs.slack.dev/reference/methods */
const codes: Readonly<Record<Exclude<SlackErrorKind, 'held'>, readonly string[]>> = {
  token: words('not_authed,invalid_auth,account_inactive,token_revoked,token_expired,not_allowed_token_type'),
  closed: words(
    'not_in_channel,channel_not_found,channel_is_limited_access,is_archived,missing_scope,no_permission',
    'access_denied,accesslimited,app_access_restricted,ekm_access_denied,enterprise_is_restricted',
    'external_channel_migrating,message_limit_exceeded,org_login_required,posting_to_channel_denied',
    'restricted_action,restricted_action_non_threadable_channel,restricted_action_read_only_channel',
    'restricted_action_thread_only_channel,team_access_not_granted,team_added_to_org,team_not_found',
    'too_many_members,two_factor_setup_required',
  ),
  person: words(
    'cannot_dm_bot,invalid_user_combination,messages_tab_disabled,user_disabled,user_not_found',
    'user_not_visible,users_not_found',
  ),
  absent: words('message_not_found,thread_not_found,cannot_reply_to_message'),
  final: words(
    'as_user_not_supported,attachment_payload_limit_exceeded,block_mismatch,blocked_file_type',
    'cant_broadcast_message,cant_delete_message,cant_update_message,deprecated_endpoint',
    'draft_already_deleted,draft_already_sent,draft_has_conflict,draft_not_found',
    'duplicate_channel_not_found,duplicate_message_not_found,edit_window_closed,file_deleted',
    'file_is_deleted,file_not_found,file_share_limit_reached,invalid_arg_name,invalid_array_arg',
    'invalid_attachments,invalid_blocks,invalid_blocks_format,invalid_charset,invalid_cursor',
    'invalid_form_data,invalid_metadata_filter_keys,invalid_metadata_format,invalid_metadata_schema',
    'invalid_post_type,invalid_ts_latest,invalid_ts_oldest,is_bot,is_inactive',
    'list_record_comment_fetch_failed,markdown_text_conflict,max_file_sharing_exceeded',
    'metadata_must_be_sent_from_app,metadata_too_large,method_deprecated',
    'method_not_supported_for_channel_type,missing_file_data,missing_post_type,msg_blocks_too_long',
    'msg_too_long,no_dual_broadcast_content_update,no_text,not_enough_users,send_on_behalf_not_allowed',
    'slack_connect_blocked_file_type,slack_connect_canvas_sharing_blocked',
    'slack_connect_clip_sharing_blocked,slack_connect_file_link_sharing_blocked',
    'slack_connect_file_upload_sharing_blocked,slack_connect_lists_sharing_blocked,too_many_attachments',
    'too_many_contact_cards,too_many_users,unable_to_share_files,unknown_method,users_list_not_supplied',
  ),
  limited: words('ratelimited,rate_limited'),
  unknown: words('fatal_error,internal_error,request_timeout,service_unavailable'),
};

function words(...rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => row.split(','));
}

const kinds: ReadonlyMap<string, SlackErrorKind> = new Map(
  (Object.keys(codes) as (keyof typeof codes)[]).flatMap((kind) =>
    codes[kind].map((code) => [code, kind] as const),
  ),
);

/** Returns the meaning of an error code. An unknown code counts as temporary: giving up loses a message. */
export function classifySlackError(code: string): SlackErrorKind {
  return kinds.get(code) ?? 'held';
}

/** True if Slack has refused for a known reason, which is neither too many calls nor an error of its own. */
export function isKnownRefusal(code: string): boolean {
  return ['token', 'closed', 'person', 'absent', 'final'].includes(classifySlackError(code));
}

/** Error codes with a more specific reason than their kind. */
const reasons: ReadonlyMap<string, ChatRefusalReason> = new Map([
  ['missing_scope', 'permission'],
  ['channel_not_found', 'nowhere'],
  ['message_not_found', 'message-gone'],
]);

export function toRefusalReason(code: string): ChatRefusalReason {
  const reason = reasons.get(code);
  if (reason !== undefined) return reason;
  const kind = classifySlackError(code);
  if (kind === 'absent') return 'thread-gone';
  return kind === 'limited' || kind === 'unknown' ? 'held' : kind;
}

/**
 * True if the bot was removed. Not for `invalid_auth`, which a valid token gets from a refused network
 * address: https://docs.slack.dev/reference/methods/chat.postMessage
 */
export function isBotGone(code: string): boolean {
  return code === 'token_revoked' || code === 'account_inactive';
}

/** True if `auth.test` refuses the token itself. https://docs.slack.dev/reference/methods/auth.test */
export function isTokenRefused(code: string): boolean {
  return isBotGone(code) || code === 'invalid_auth' || code === 'not_authed' || code === 'token_expired';
}
