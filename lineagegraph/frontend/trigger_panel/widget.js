import { widget } from "../notebook.js";
import { triggerPanel } from "./trigger_panel.js";

export default widget("trigger_panel", triggerPanel, "triggers");
