export function KeysPage() {
  return null;
}
