import "../look/look.css";
import { mount } from "svelte";
import StationPage from "./StationPage.svelte";

mount(StationPage, { target: document.body });
