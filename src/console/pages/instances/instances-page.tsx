export function InstancesPage() {
  return null;
}
