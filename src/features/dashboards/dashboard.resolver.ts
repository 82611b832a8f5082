// GraphQL resolvers of dashboards.

import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { callerOf, type GraphqlContext } from '../../platform/graphql/graphql-context.js';
import { ForwardPageArgs, toConnection, type ConnectionValue } from '../../platform/graphql/relay.type.js';
import type { ReadingInput } from './dashboard.schema.js';
import type { DashboardRecord, DashboardService } from './dashboard.service.js';
import {
  CreateDashboardInput,
  Dashboard,
  DashboardConnection,
  DashboardRange,
  TimeRangeInput,
  UpdateDashboardInput,
  Widget,
  type DashboardView,
  type WidgetView,
} from './dashboard.type.js';
import type { WidgetResultService } from './widget-result.service.js';
import { maxStatements, maxValues, type Snapshot } from './dashboard-reading.js';

const budgetDescription = `One operation reads at most ${maxStatements} widget results and lists of rows, and shows at most ${maxValues} values.`;

@Resolver(() => Dashboard)
export class DashboardResolver {
  constructor(
    private readonly service: DashboardService,
    private readonly widgetResults: WidgetResultService,
  ) {}

  @Authorized()
  @Query(() => DashboardConnection, { description: `The tenant's dashboards, newest first. ${budgetDescription}` })
  async dashboards(
    @Ctx() context: GraphqlContext,
    @Args(() => ForwardPageArgs) args: ForwardPageArgs,
  ): Promise<ConnectionValue<DashboardView>> {
    const page = await this.service.list(context.principal, args);
    const snapshot = this.widgetResults.snapshot(callerOf(context));
    const edges = page.edges.map(({ node, cursor }) => ({ node: this.view(context, node, {}, snapshot), cursor }));
    return toConnection({ ...page, edges });
  }

  @Authorized()
  @Query(() => Dashboard, {
    nullable: true,
    description: `One dashboard. Null if the tenant has none with this id. ${budgetDescription}`,
  })
  async dashboard(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The dashboard's id." }) id: string,
    @Arg('range', () => TimeRangeInput, {
      nullable: true,
      description: 'A time range for this query, instead of the stored one.',
    })
    range?: TimeRangeInput | null,
    @Arg('timeZone', () => String, {
      nullable: true,
      description: 'A time zone for this query, instead of the stored one.',
    })
    timeZone?: string | null,
  ): Promise<DashboardView | null> {
    const dashboard = await this.service.find(context.principal, id);
    return dashboard === null ? null : this.view(context, dashboard, { range, timeZone });
  }

  @Authorized()
  @Mutation(() => Dashboard, { description: 'Creates a dashboard. CONFLICT if the name is taken. Audited.' })
  async createDashboard(
    @Ctx() context: GraphqlContext,
    @Arg('input', () => CreateDashboardInput, { description: 'The dashboard.' }) input: CreateDashboardInput,
  ): Promise<DashboardView> {
    return this.view(context, await this.service.create(context.principal, input));
  }

  @Authorized()
  @Mutation(() => Dashboard, {
    description:
      'Changes a dashboard. CONFLICT if the name is taken, or it was changed since `expectedUpdatedAt`. Audited.',
  })
  async updateDashboard(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The dashboard's id." }) id: string,
    @Arg('input', () => UpdateDashboardInput, { description: 'What to change.' }) input: UpdateDashboardInput,
  ): Promise<DashboardView> {
    return this.view(context, await this.service.update(context.principal, id, input));
  }

  @Authorized()
  @Mutation(() => ID, { description: 'Deletes a dashboard and returns its id. Leads and messages stay. Audited.' })
  deleteDashboard(
    @Ctx() context: GraphqlContext,
    @Arg('id', () => ID, { description: "The dashboard's id." }) id: string,
  ): Promise<string> {
    return this.service.delete(context.principal, id);
  }

  @FieldResolver(() => String, { description: 'The time zone of days and hours.' })
  timeZone(@Root() { reading }: DashboardView): string {
    return reading.timeZone;
  }

  @FieldResolver(() => DashboardRange, { description: 'The time range that it shows.' })
  async range(@Root() { reading }: DashboardView): Promise<DashboardRange> {
    const { from, to } = await this.widgetResults.rangeOf(reading);
    return { preset: 'preset' in reading.timeRange ? reading.timeRange.preset : null, from, to };
  }

  @FieldResolver(() => [Widget], { description: 'The widgets, in their order.' })
  widgets(@Root() { widgets, reading }: DashboardView): WidgetView[] {
    return widgets.map((widget) => ({ ...widget, reading }));
  }

  @FieldResolver(() => Widget, {
    nullable: true,
    description: 'The widget with this id. Null if the dashboard has none.',
  })
  widget(
    @Root() { widgets, reading }: DashboardView,
    @Arg('id', () => ID, { description: "The widget's id." }) id: string,
  ): WidgetView | null {
    const widget = widgets.find((candidate) => candidate.id === id);
    return widget === undefined ? null : { ...widget, reading };
  }

  private view(
    context: GraphqlContext,
    dashboard: DashboardRecord,
    wanted?: ReadingInput,
    snapshot?: Snapshot,
  ): DashboardView {
    const reading = this.widgetResults.read(callerOf(context), dashboard, { operation: context, snapshot, wanted });
    return { ...dashboard, reading };
  }
}
