export function ConversationPage() {
  return null;
}
