export function LeadsPage() {
  return null;
}
