export function BulkPage() {
  return null;
}
