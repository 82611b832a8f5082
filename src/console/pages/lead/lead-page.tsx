export function LeadPage() {
  return null;
}
