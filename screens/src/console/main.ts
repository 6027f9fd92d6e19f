import "../look/look.css";
import "../form/form.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { words } from "../words/words.svelte";
import { offerKeypads } from "../keypad/keypad";
import ConsolePage from "./ConsolePage.svelte";

await words.open(forStaff, "window_console");
mount(ConsolePage, { target: document.body });
offerKeypads();
