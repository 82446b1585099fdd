import {describe, expect, test} from '@jest/globals';
import {
  concernsChannel,
  concernsPerson,
  mayLookLater,
  isTemporaryRefusal,
} from '../../src/bot/showing/chat.js';
import {
  isBotGone,
  classifySlackError,
  toRefusalReason,
  type SlackErrorKind,
} from '../../src/bot/slack/core/slack-errors.js';

/**
 * The documented errors of each method that the bot calls for its messages, as of August 2026:
 * https://docs.slack.dev/reference/methods
 */
const documented: Readonly<Record<string, string>> = {
  'chat.postMessage': `
    access_denied accesslimited account_inactive app_access_restricted as_user_not_supported
    attachment_payload_limit_exceeded cannot_reply_to_message channel_not_found deprecated_endpoint
    draft_already_deleted draft_already_sent draft_has_conflict draft_not_found duplicate_channel_not_found
    duplicate_message_not_found ekm_access_denied enterprise_is_restricted fatal_error invalid_arg_name
    invalid_array_arg invalid_blocks invalid_blocks_format invalid_charset invalid_form_data
    invalid_metadata_format invalid_metadata_schema invalid_post_type is_archived is_bot
    markdown_text_conflict message_limit_exceeded messages_tab_disabled metadata_must_be_sent_from_app
    metadata_too_large method_deprecated missing_file_data missing_post_type missing_scope
    msg_blocks_too_long no_permission no_text not_allowed_token_type not_authed not_in_channel
    org_login_required rate_limited ratelimited request_timeout restricted_action
    restricted_action_non_threadable_channel restricted_action_read_only_channel
    restricted_action_thread_locked restricted_action_thread_only_channel send_on_behalf_not_allowed
    service_unavailable slack_connect_canvas_sharing_blocked slack_connect_file_link_sharing_blocked
    slack_connect_lists_sharing_blocked team_added_to_org team_not_found token_expired token_revoked
    too_many_attachments too_many_contact_cards two_factor_setup_required unknown_method
  `,
  'chat.update': `
    access_denied accesslimited account_inactive as_user_not_supported block_mismatch blocked_file_type
    cant_broadcast_message cant_update_message channel_not_found deprecated_endpoint edit_window_closed
    ekm_access_denied enterprise_is_restricted external_channel_migrating fatal_error file_deleted
    file_is_deleted file_not_found file_share_limit_reached invalid_arg_name invalid_array_arg
    invalid_attachments invalid_blocks invalid_blocks_format invalid_charset invalid_form_data
    invalid_metadata_format invalid_metadata_schema invalid_post_type is_bot is_inactive
    markdown_text_conflict max_file_sharing_exceeded message_limit_exceeded message_not_found
    metadata_must_be_sent_from_app metadata_too_large method_deprecated missing_post_type missing_scope
    msg_too_long no_dual_broadcast_content_update no_permission no_text not_allowed_token_type not_authed
    org_login_required posting_to_channel_denied ratelimited request_timeout service_unavailable
    slack_connect_blocked_file_type slack_connect_canvas_sharing_blocked slack_connect_clip_sharing_blocked
    slack_connect_file_link_sharing_blocked slack_connect_file_upload_sharing_blocked
    streaming_state_conflict team_added_to_org team_not_found token_expired token_revoked
    too_many_attachments two_factor_setup_required unable_to_share_files unknown_method update_failed
  `,
  'chat.delete': `
    access_denied accesslimited account_inactive cant_delete_message channel_not_found deprecated_endpoint
    ekm_access_denied enterprise_is_restricted fatal_error invalid_arg_name invalid_array_arg
    invalid_charset invalid_form_data invalid_post_type is_bot message_not_found method_deprecated
    missing_post_type missing_scope no_permission not_allowed_token_type not_authed org_login_required
    ratelimited request_timeout service_unavailable team_added_to_org token_expired token_revoked
    two_factor_setup_required unknown_method
  `,
  'conversations.open': `
    access_denied accesslimited account_inactive channel_not_found deprecated_endpoint ekm_access_denied
    enterprise_is_restricted fatal_error invalid_arg_name invalid_array_arg invalid_charset
    invalid_form_data invalid_post_type invalid_user_combination is_bot method_deprecated
    method_not_supported_for_channel_type missing_post_type missing_scope no_permission
    not_allowed_token_type not_authed not_enough_users org_login_required ratelimited request_timeout
    service_unavailable team_added_to_org token_expired token_revoked too_many_users
    two_factor_setup_required unknown_method user_disabled user_not_found user_not_visible
    users_list_not_supplied
  `,
  'conversations.join': `
    access_denied accesslimited account_inactive channel_is_limited_access channel_not_found
    deprecated_endpoint ekm_access_denied enterprise_is_restricted fatal_error invalid_arg_name
    invalid_array_arg invalid_charset invalid_form_data invalid_post_type is_archived is_bot
    method_deprecated method_not_supported_for_channel_type missing_post_type missing_scope no_permission
    not_allowed_token_type not_authed org_login_required ratelimited request_timeout service_unavailable
    team_added_to_org token_expired token_revoked too_many_members two_factor_setup_required unknown_method
  `,
  'conversations.replies': `
    access_denied accesslimited account_inactive channel_not_found deprecated_endpoint ekm_access_denied
    enterprise_is_restricted fatal_error invalid_arg_name invalid_array_arg invalid_charset invalid_cursor
    invalid_form_data invalid_metadata_filter_keys invalid_post_type invalid_ts_latest invalid_ts_oldest
    is_bot list_record_comment_fetch_failed method_deprecated method_not_supported_for_channel_type
    missing_post_type missing_scope no_permission not_allowed_token_type not_authed org_login_required
    ratelimited request_timeout service_unavailable team_added_to_org thread_not_found token_expired
    token_revoked two_factor_setup_required unknown_method
  `,
  'conversations.history': `
    access_denied accesslimited account_inactive channel_is_limited_access channel_not_found
    deprecated_endpoint ekm_access_denied enterprise_is_restricted fatal_error invalid_arg_name
    invalid_array_arg invalid_charset invalid_cursor invalid_form_data invalid_metadata_filter_keys
    invalid_post_type invalid_ts_latest invalid_ts_oldest is_bot method_deprecated missing_post_type
    missing_scope no_permission not_allowed_token_type not_authed not_in_channel org_login_required
    ratelimited request_timeout service_unavailable team_added_to_org token_expired token_revoked
    two_factor_setup_required unknown_method
  `,
};

const codes = [...new Set(Object.values(documented).flatMap((list) => list.trim().split(/\s+/)))];
const refusal = (code: string) => ({reason: toRefusalReason(code)});
const ofKind = (...kinds: SlackErrorKind[]) =>
  codes.filter((code) => kinds.includes(classifySlackError(code)));

test('every documented error is in the list, except those about one message at one moment', () => {
  expect(codes.length).toBeGreaterThan(100);
  expect(ofKind('held').toSorted()).toEqual([
    'restricted_action_thread_locked',
    'streaming_state_conflict',
    'update_failed',
  ]);
});

describe('regression: a message that Slack refused temporarily', () => {
  test.each([
    'message_limit_exceeded',
    'restricted_action',
    'restricted_action_read_only_channel',
    'restricted_action_thread_only_channel',
    'restricted_action_non_threadable_channel',
    'no_permission',
    'access_denied',
    'org_login_required',
    'team_added_to_org',
    'ekm_access_denied',
    'external_channel_migrating',
    'two_factor_setup_required',
    'is_archived',
    'not_in_channel',
    'token_expired',
  ])('is tried again after %s, and the channel pauses in the meantime', (code) => {
    expect([isTemporaryRefusal, mayLookLater, concernsChannel].map((asks) => asks(refusal(code)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test.each(['restricted_action_thread_locked', 'update_failed', 'an_error_that_slack_adds_next_year'])(
    'is tried again after %s, while other messages of the channel are shown',
    (code) => {
      expect([isTemporaryRefusal, concernsChannel].map((asks) => asks(refusal(code)))).toEqual([true, false]);
    },
  );
});

test.each([
  'invalid_blocks',
  'msg_too_long',
  'msg_blocks_too_long',
  'no_text',
  'cant_update_message',
  'edit_window_closed',
])('the refusal %s is final: the message will never be accepted as it is', (code) => {
  expect([isTemporaryRefusal, concernsChannel, concernsPerson].map((asks) => asks(refusal(code)))).toEqual([
    false,
    false,
    false,
  ]);
});

test('only the removal of the bot counts as a disconnection, and every other error of the token asks for a new token', () => {
  expect(codes.filter(isBotGone).toSorted()).toEqual(['account_inactive', 'token_revoked']);
  expect(ofKind('token').toSorted()).toEqual([
    'account_inactive',
    'not_allowed_token_type',
    'not_authed',
    'token_expired',
    'token_revoked',
  ]);
});

test('an unreachable person is distinguished from a workspace that accepts nothing', () => {
  expect(codes.filter((code) => concernsPerson(refusal(code))).toSorted()).toEqual([
    'channel_not_found',
    'invalid_user_combination',
    'messages_tab_disabled',
    'user_disabled',
    'user_not_found',
    'user_not_visible',
  ]);
});

test('a limit, or an outcome that is unknown, is not a refusal', () => {
  expect(ofKind('limited', 'unknown').toSorted()).toEqual([
    'fatal_error',
    'rate_limited',
    'ratelimited',
    'request_timeout',
    'service_unavailable',
  ]);
});
